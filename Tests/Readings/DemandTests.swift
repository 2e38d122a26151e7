import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("The demand for readings", .timeLimit(.minutes(20)))
struct DemandTests {
    private let demand = Demand(timeout: .seconds(3600))
    private let readings = Latest(Reading.sample)

    /// Makes the newest reading an old one.
    private func makeOld() {
        readings.update { $0.time = .distantPast }
    }

    private func publisher() -> ReadingPublisher {
        ReadingPublisher(settings: .init(), readings: readings, demand: demand)
    }

    private func publish(_ color: RGB, by publisher: ReadingPublisher) {
        publisher.publish(
            .init(mean: color), of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0, time: .now()),
            camera: Reading.Camera(id: "id", name: "name", device: nil), state: .live, captureRate: 15, dropped: 0,
            at: .now())
    }

    @Test("there is a watcher as long as one token is kept")
    func watching() {
        var first: InterestToken? = demand.watch()
        var second: InterestToken? = demand.watch()
        #expect(demand.isWatching && first != nil && second != nil)
        first = nil
        #expect(demand.isWatching)
        second = nil
        #expect(!demand.isWatching)
    }

    @Test("a caller gets a recent reading without waiting")
    func fresh() async {
        let waits = Latest(0)
        let demand = Demand(clocks: Clocks().sleeping { _ in waits.update { $0 += 1 } })
        let token = demand.watch()
        readings.update { $0.time = Date() }
        _ = await demand.newest(of: readings, rate: 0.001)
        #expect(waits.value == 0 && !demand.hasCallers)
        withExtendedLifetime(token) {}
    }

    @Test(
        "a caller gets a reading that is 1.9 periods old without waiting, but waits if it is 2.1 periods old",
        arguments: [(1.9, 0), (2.1, 1)])
    func periods(age: Double, waits: Int) async {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let count = Latest(0)
        let clock = ManualClock(date: start + age * 0.25)
        let demand = Demand(clocks: clock.clocks.sleeping { _ in count.update { $0 += 1 } })
        let token = demand.watch()
        readings.update { $0.time = start }
        _ = await demand.newest(of: readings, rate: 4)
        #expect(count.value == waits)
        withExtendedLifetime(token) {}
    }

    @Test("while nobody watches, a caller waits if the newest reading is two seconds old, however low the rate is")
    func oldOfRareReadings() async {
        readings.update { $0.time = Date() - 2 }
        async let answer = demand.newest(of: readings, rate: 0.001)
        await waitUntil("the caller waits") { demand.hasCallers }
        demand.answer(.sample.with { $0.sequence = 7 })
        #expect(await answer.sequence == 7)
    }

    @Test(
        "while nobody watches, a caller waits if the reading is over a second old, or two periods if that is less",
        arguments: [(0.9, 0.001, 0), (1.1, 0.001, 1), (0.4, 4, 0), (0.6, 4, 1)])
    func unwatched(age: Double, rate: Double, waits: Int) async {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let count = Latest(0)
        let clock = ManualClock(date: start + age)
        let demand = Demand(clocks: clock.clocks.sleeping { _ in count.update { $0 += 1 } })
        readings.update { $0.time = start }
        _ = await demand.newest(of: readings, rate: rate)
        #expect(count.value == waits)
    }

    @Test("frames are wanted while there is a watcher or a caller, or if they are rare")
    func wanted() {
        #expect(!demand.wantsFrames)
        var answers: Demand.Answers? = demand.requestReading()
        #expect(demand.wantsFrames && answers != nil)
        answers = nil
        var token: InterestToken? = demand.watch()
        #expect(demand.wantsFrames && token != nil)
        token = nil
        #expect(!demand.wantsFrames)
        demand.framePeriod = 3600
        #expect(demand.wantsFrames)
    }

    @Test("frames are too rare to wait for if one takes more than two thirds of a caller's time limit")
    func patienceShare() {
        let demand = Demand(timeout: .seconds(3))
        demand.framePeriod = 2
        #expect(!demand.framesAreRare)
        demand.framePeriod = 2.01
        #expect(demand.framesAreRare)
    }

    @Test("a caller waits if the newest reading is recent but not the wanted one")
    func unwanted() async {
        let token = demand.watch()
        readings.update { ($0.time, $0.region) = (Date(), .full) }
        async let answer = demand.newest(of: readings, rate: 0.001) { $0.region != .full }
        await waitUntil("the caller waits") { demand.hasCallers }
        demand.answer(.sample.with { $0.sequence = 7 })
        #expect(await answer.sequence == 7)
        withExtendedLifetime(token) {}
    }

    @Test("a caller gets the newest reading without waiting if it has no colour, however old it is")
    func unavailable() async {
        readings.publish(.none)
        makeOld()
        #expect(await demand.newest(of: readings, rate: 4).state == .starting)
        #expect(!demand.hasCallers)
    }

    @Test(
        "a caller waits if the newest reading is old or, because the clock was set, lies in the future",
        arguments: [Date.distantPast, .distantFuture])
    func old(time: Date) async {
        readings.update { $0.time = time }
        async let answer = demand.newest(of: readings, rate: 4)
        await waitUntil("the caller waits") { demand.hasCallers }
        demand.answer(.sample.with { $0.sequence = 99 })
        #expect(await answer.sequence == 99)
    }

    @Test("without a new frame for 1.8 s, a caller gets the old reading")
    func timeout() async {
        let waits = Latest<Duration?>(nil)
        let demand = Demand(clocks: Clocks().sleeping { waits.publish($0) })
        makeOld()
        #expect(await demand.newest(of: readings, rate: 4).time == .distantPast)
        #expect(waits.value == .milliseconds(1800))
        #expect(!demand.hasCallers)
    }

    @Test("frames are too rare to wait for at one every two seconds, but not at one a second")
    func rareFrames() {
        let demand = Demand()
        #expect(!demand.framesAreRare)
        demand.framePeriod = 1
        #expect(!demand.framesAreRare)
        demand.framePeriod = 2
        #expect(demand.framesAreRare)
    }

    @Test("if frames are too rare to wait for, a caller gets a reading that is at most two frame periods old")
    func freshOfRareFrames() async {
        let waits = Latest<Duration?>(nil)
        let demand = Demand(clocks: Clocks().sleeping { waits.publish($0) })
        demand.framePeriod = 3600
        readings.update { $0.time = Date(timeIntervalSinceNow: -7000) }
        _ = await demand.newest(of: readings, rate: 4)
        #expect(waits.value == nil)
        readings.update { $0.time = Date(timeIntervalSinceNow: -7300) }
        _ = await demand.newest(of: readings, rate: 4)
        #expect(waits.value != nil)
    }

    @Test("a request ends when its caller has gone")
    func cancelled() async {
        makeOld()
        let caller = Task { await demand.newest(of: readings, rate: 4) }
        await waitUntil("the caller waits") { demand.hasCallers }
        caller.cancel()
        #expect(await caller.value == readings.value)
        #expect(!demand.hasCallers)
    }

    @Test("the requests of other callers continue when one caller has gone")
    func oneOfTwo() {
        var first: Demand.Answers? = demand.requestReading()
        var second: Demand.Answers? = demand.requestReading()
        #expect(demand.hasCallers && first != nil && second != nil)
        first = nil
        #expect(demand.hasCallers)
        second = nil
        #expect(!demand.hasCallers)
    }

    @Test("the next reading answers a request")
    func answered() async {
        makeOld()
        async let answer = demand.newest(of: readings, rate: 4)
        await waitUntil("the caller waits") { demand.hasCallers }
        let publisher = publisher()
        publish(RGB(r: 1, g: 2, b: 3), by: publisher)
        #expect(await answer.rgb?.b == 3)
        #expect(!demand.hasCallers)
    }

    @Test("a request is answered when there is no longer a colour")
    func answeredByAbsence() async throws {
        let answers = demand.requestReading()
        let publisher = publisher()
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: .now())
        try #require(!demand.hasCallers)
        #expect(await answers.first { _ in true }?.state == .lost)
    }

    @Test("a repeated reading does not answer a request")
    func repeated() {
        let publisher = publisher()
        publish(RGB(r: 1, g: 2, b: 3), by: publisher)
        let answers = demand.requestReading()
        let sequence = readings.value.sequence
        publisher.repeatIfOverdue(captureRate: 15, dropped: 0, at: publisher.deadline)
        #expect(readings.value.sequence == sequence + 1)
        #expect(demand.hasCallers)
        withExtendedLifetime(answers) {}
    }
}
