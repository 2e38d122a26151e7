import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("The demand for readings", .timeLimit(.minutes(20)))
struct DemandTests {
    private let demand: Demand
    private let readings = Latest(Reading.sample)

    init() {
        // Its time stands still: no colour expires because other tests occupy the threads of all tasks.
        let now = MonotonicTime.now()
        var clocks = Clocks()
        clocks.now = { now }
        demand = Demand(timeout: .seconds(3600), clocks: clocks)
    }

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

    /// A moment at which a caller comes, and whether it waits for a new reading.
    struct Moment: Sendable {
        var age = 0.0
        var rate = 4.0
        var isWatched = false
        var framePeriod: Double?
        var waits: Bool
    }

    @Test(
        "a caller waits if the newest reading is too old, or lies in the future, because the clock was set",
        arguments: [
            // While somebody watches, readings come at their rate, of which two may be awaited.
            Moment(rate: 0.001, isWatched: true, waits: false), Moment(age: 1.9 / 4, isWatched: true, waits: false),
            Moment(age: 2.1 / 4, isWatched: true, waits: true),
            // While nobody watches, a reading may be a second old, or two periods if that is less.
            Moment(age: 0.9, rate: 0.001, waits: false), Moment(age: 1.1, rate: 0.001, waits: true),
            Moment(age: 0.4, waits: false), Moment(age: 0.6, waits: true),
            // Frames that are too rare to wait for may be two periods old.
            Moment(age: 7000, framePeriod: 3600, waits: false), Moment(age: 7300, framePeriod: 3600, waits: true),
            Moment(age: 1e9, waits: true), Moment(age: -1e6, waits: true),
        ])
    func old(moment: Moment) async {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let count = Latest(0)
        let clock = ManualClock(date: start + moment.age)
        let demand = Demand(clocks: clock.clocks.sleeping { _ in count.update { $0 += 1 } })
        let token = moment.isWatched ? demand.watch() : nil
        if let period = moment.framePeriod { demand.framePeriod = period }
        readings.update { $0.time = start }
        _ = await demand.newest(of: readings, rate: moment.rate)
        #expect(count.value == (moment.waits ? 1 : 0) && !demand.hasCallers)
        withExtendedLifetime(token) {}
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

    @Test(
        "frames are too rare to wait for if one takes more than two thirds of a caller's time limit, which is 1.8 s",
        arguments: [(nil, 1, false), (nil, 2, true), (3, 2, false), (3, 2.01, true)] as [(Int?, Double, Bool)])
    func rareFrames(timeout: Int?, period: Double, areRare: Bool) {
        let demand = timeout.map { Demand(timeout: .seconds($0)) } ?? Demand()
        #expect(!demand.framesAreRare)
        demand.framePeriod = period
        #expect(demand.framesAreRare == areRare)
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
        "without a new frame for 1.8 s, a caller gets the old reading, without its colour if that has expired",
        arguments: [true, false])
    func timeout(isExpired: Bool) async {
        let waits = Latest<Duration?>(nil)
        let demand = Demand(clocks: Clocks().sleeping { waits.publish($0) })
        makeOld()
        if isExpired { readings.update { $0.expiry = .now() } }
        let reading = await demand.newest(of: readings, rate: 4)
        #expect(reading.time == .distantPast)
        #expect(reading.state == (isExpired ? .lost : .live) && (reading.hex == nil) == isExpired)
        #expect(waits.value == .milliseconds(1800))
        #expect(!demand.hasCallers)
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
