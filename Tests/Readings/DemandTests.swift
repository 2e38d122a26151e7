import Foundation
import Pixels
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("The demand for readings", .timeLimit(.minutes(10)))
struct DemandTests {
    private let demand = Demand(patience: .seconds(3600))
    private let readings = Latest(Reading.sample)

    /// A reading of long ago.
    private func makeOld() {
        readings.update { $0.time = .distantPast }
    }

    private func publisher() -> ReadingPublisher {
        ReadingPublisher(settings: .init(), readings: readings, demand: demand)
    }

    private func publish(_ color: RGB, by publisher: ReadingPublisher) {
        publisher.publish(
            color, of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0), capturedAt: .now(),
            camera: Reading.Camera(id: "id", name: "name", device: nil), state: .live, captureRate: 15, dropped: 0,
            at: .now())
    }

    @Test("somebody watches as long as one token is kept")
    func watching() {
        var first: InterestToken? = demand.watch()
        var second: InterestToken? = demand.watch()
        #expect(demand.isWatching && first != nil && second != nil)
        first = nil
        #expect(demand.isWatching)
        second = nil
        #expect(!demand.isWatching)
    }

    @Test("takes a reading that is fresh as it is")
    func fresh() async {
        let token = demand.watch()
        readings.update { $0.time = Date() }
        _ = await demand.newest(of: readings, rate: 0.001)
        #expect(!demand.isAsking)
        withExtendedLifetime(token) {}
    }

    @Test(
        "takes a reading of 1.9 periods ago as it is, and asks for another after 2.1", arguments: [(1.9, 0), (2.1, 1)])
    func periods(age: Double, waits: Int) async {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let count = Latest(0)
        let demand = Demand { _ in
            count.update { $0 += 1 }
        } date: {
            start + age * 0.25
        }
        let token = demand.watch()
        readings.update { $0.time = start }
        _ = await demand.newest(of: readings, rate: 4)
        #expect(count.value == waits)
        withExtendedLifetime(token) {}
    }

    @Test("asks for another when nobody watches and the newest is two seconds old, however rare readings are")
    func oldOfRareReadings() async {
        readings.update { $0.time = Date() - 2 }
        async let answer = demand.newest(of: readings, rate: 0.001)
        while !demand.isAsking { await Task.yield() }
        demand.answer(.sample.with { $0.sequence = 7 })
        #expect(await answer.sequence == 7)
    }

    @Test("asks for another when the newest is fresh, and not what the caller means")
    func unwanted() async {
        let token = demand.watch()
        readings.update { ($0.time, $0.region) = (Date(), .full) }
        async let answer = demand.newest(of: readings, rate: 0.001) { $0.region != .full }
        while !demand.isAsking { await Task.yield() }
        demand.answer(.sample.with { $0.sequence = 7 })
        #expect(await answer.sequence == 7)
        withExtendedLifetime(token) {}
    }

    @Test("takes the absence of a colour as it is, however old")
    func unavailable() async {
        readings.publish(.none)
        makeOld()
        #expect(await demand.newest(of: readings, rate: 4).state == .starting)
        #expect(!demand.isAsking)
    }

    @Test(
        "asks for another when the newest is old, also by the clock's leap",
        arguments: [Date.distantPast, .distantFuture])
    func old(time: Date) async {
        readings.update { $0.time = time }
        async let answer = demand.newest(of: readings, rate: 4)
        while !demand.isAsking { await Task.yield() }
        demand.answer(.sample.with { $0.sequence = 99 })
        #expect(await answer.sequence == 99)
    }

    @Test("waits less long than the web server lets a route take, and takes the old reading when none comes")
    func patience() async {
        let waits = Latest<Duration?>(nil)
        let demand = Demand { waits.publish($0) }
        makeOld()
        #expect(await demand.newest(of: readings, rate: 4).time == .distantPast)
        #expect(waits.value == .milliseconds(1800))
        #expect(!demand.isAsking)
    }

    @Test("can wait for the next frame of a camera of one a second, not for that of one every two seconds")
    func rareFrames() {
        let demand = Demand()
        #expect(!demand.framesAreRare)
        demand.framePeriod = 1
        #expect(!demand.framesAreRare)
        demand.framePeriod = 2
        #expect(demand.framesAreRare)
    }

    @Test("takes a reading as it is that is two frames old at most, when frames are too rare to wait for")
    func freshOfRareFrames() async {
        let waits = Latest<Duration?>(nil)
        let demand = Demand { waits.publish($0) }
        demand.framePeriod = 3600
        readings.update { $0.time = Date(timeIntervalSinceNow: -7000) }
        _ = await demand.newest(of: readings, rate: 4)
        #expect(waits.value == nil)
        readings.update { $0.time = Date(timeIntervalSinceNow: -7300) }
        _ = await demand.newest(of: readings, rate: 4)
        #expect(waits.value != nil)
    }

    @Test("asks no more when the one who asked is gone")
    func cancelled() async {
        makeOld()
        let caller = Task { await demand.newest(of: readings, rate: 4) }
        while !demand.isAsking { await Task.yield() }
        caller.cancel()
        #expect(await caller.value == readings.value)
        #expect(!demand.isAsking)
    }

    @Test("asks on for the others when one of those who asked is gone")
    func oneOfTwo() {
        var first: Demand.Answers? = demand.ask()
        var second: Demand.Answers? = demand.ask()
        #expect(demand.isAsking && first != nil && second != nil)
        first = nil
        #expect(demand.isAsking)
        second = nil
        #expect(!demand.isAsking)
    }

    @Test("is answered by the next reading")
    func answered() async {
        makeOld()
        async let answer = demand.newest(of: readings, rate: 4)
        while !demand.isAsking { await Task.yield() }
        let publisher = publisher()
        publish(RGB(r: 1, g: 2, b: 3), by: publisher)
        #expect(await answer.rgb?.b == 3)
        #expect(!demand.isAsking)
    }

    @Test("is answered when there is no colour any more")
    func answeredByAbsence() async throws {
        let answers = demand.ask()
        let publisher = publisher()
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: .now())
        try #require(!demand.isAsking)
        #expect(await answers.first { _ in true }?.state == .lost)
    }

    @Test("is not answered by a reading that is told again")
    func repeated() {
        let publisher = publisher()
        publish(RGB(r: 1, g: 2, b: 3), by: publisher)
        let answers = demand.ask()
        let sequence = readings.value.sequence
        publisher.repeatIfOverdue(captureRate: 15, dropped: 0, at: publisher.deadline)
        #expect(readings.value.sequence == sequence + 1)
        #expect(demand.isAsking)
        withExtendedLifetime(answers) {}
    }
}
