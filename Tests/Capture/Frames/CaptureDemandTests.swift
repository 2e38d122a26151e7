import Color
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Readings on demand while nobody watches", .timeLimit(.minutes(20)))
struct CaptureDemandTests {
    private let clock = ManualClock()
    private let readings = Latest(Reading.none)
    private let demand: Demand
    private let waker: Waker
    private let hub: PictureHub

    init() throws {
        waker = try Waker()
        let rest = Rest(waker)
        demand = Demand(rest: rest)
        hub = PictureHub(rest: rest)
    }

    /// A pump and its source, which the test runs step by step.
    private struct Loop: ~Copyable {
        var source: BufferingSource
        var pump: FramePump
        let waker: Waker
        var steps = 0

        mutating func step() throws {
            steps += 1
            // More steps would mean that the frame never arrives.
            try #require(steps < 10_000)
            _ = try pump.step(&source, waker: waker)
        }

        /// Steps until the next rest is over, with an event during the rest.
        mutating func rest(_ after: Double, _ event: @escaping () -> Void) throws {
            source.duringRest = (after, event)
            while source.duringRest != nil { try step() }
        }
    }

    /// Makes a loop as on the capture thread, after its first frame, which is always read.
    private func loop(period: Double, promised: Double? = nil, config: Config = Config()) throws -> Loop {
        let source = BufferingSource(clock, period: period, promised: promised)
        let camera = Reading.Camera(id: "id", name: "name", device: "/dev/video0")
        let publisher = ReadingPublisher(
            settings: .init(config), readings: readings, demand: demand, clocks: clock.clocks)
        let pump = try FramePump(
            format: source.format, config: Latest(Settings(config)), tap: PictureTap(hub: hub),
            camera: camera, state: .live, publisher: publisher)
        var loop = Loop(source: source, pump: pump, waker: waker)
        try loop.step()
        try #require(readings.value.sequence == 1)
        return loop
    }

    @Test(
        "a caller waits for at most one frame, and gets one captured less than two frame periods before",
        arguments: [1, 1.0 / 15], [0.1, 0.9, 1.1, 2.9])
    func asked(period: Double, after: Double) async throws {
        var loop = try loop(period: period)
        var asked: (time: MonotonicTime, answers: Demand.Answers)?
        try loop.rest(after * period) { [clock, demand] in asked = (clock.now, demand.requestReading()) }
        let (time, answers) = try #require(asked)
        while demand.hasCallers { try loop.step() }
        #expect(clock.now - time < 1.001 * period)
        let reading = await answers.first { _ in true }
        let answer = try #require(reading)
        let frame = try #require(answer.frame?.sequence)
        #expect(time - loop.source.time(of: frame) < 2 * period)
        #expect(answer.rgb.map { UInt32($0.r) } == frame)
    }

    @Test("a caller that comes after an undisturbed rest waits for at most one frame")
    func askedBetweenRests() async throws {
        var loop = try loop(period: 1)
        while loop.source.rests < 3 { try loop.step() }
        let asked = clock.now
        let answers = demand.requestReading()
        while demand.hasCallers { try loop.step() }
        #expect(clock.now - asked < 1.001)
        let reading = await answers.first { _ in true }
        let answer = try #require(reading)
        #expect(loop.source.time(of: try #require(answer.frame?.sequence)) >= asked)
    }

    @Test("one frame answers all callers and is read once")
    func manyCallers() async throws {
        var loop = try loop(period: 1)
        var callers: [Demand.Answers] = []
        try loop.rest(1.5) { [demand] in callers = (0..<100).map { _ in demand.requestReading() } }
        while demand.hasCallers { try loop.step() }
        for _ in 1...10 { try loop.step() }
        #expect(readings.value.sequence == 2)
        for caller in callers { #expect(await caller.first { _ in true }?.sequence == 2) }
    }

    @Test(
        "a caller learns for ten seconds of the frames that were lost, but not of those left in the driver on purpose",
        arguments: [(3, 5.0), (3, 15), (0, 5)])
    func losses(count: UInt32, age: Double) async throws {
        var loop = try loop(period: 0.1)
        while clock.now - loop.source.time(of: 0) < 20 { try loop.step() }
        loop.source.lose(count)
        let lost = clock.now
        while clock.now - lost < age { try loop.step() }
        let answers = demand.requestReading()
        while demand.hasCallers { try loop.step() }
        let flags = await answers.first { _ in true }?.quality?.flags ?? []
        let found = flags.first { $0.code == .lostFrames }?.value
        #expect(loop.source.rests > 10 && found == (count > 0 && age < 10 ? 3 : nil))
    }

    @Test("no frame is read for a caller that has given up")
    func gaveUp() throws {
        var loop = try loop(period: 1)
        try loop.rest(1.5) { [demand] in _ = demand.requestReading() }
        for _ in 1...10 { try loop.step() }
        #expect(readings.value.sequence == 1)
    }

    @Test("a caller gets the next frame instead of one that waited in the driver for more than two periods")
    func stale() async throws {
        var loop = try loop(period: 1)
        var answers: Demand.Answers?
        // The thread is late: the driver has run out of buffers by now.
        try loop.rest(8.5) { [demand] in answers = demand.requestReading() }
        while demand.hasCallers { try loop.step() }
        #expect(await answers?.first { _ in true }?.frame?.sequence == 9)
    }

    @Test("a new watcher waits for at most one frame", arguments: [0.5, 2.5])
    func watcher(after: Double) throws {
        var loop = try loop(period: 1)
        var came: (time: MonotonicTime, token: InterestToken)?
        try loop.rest(after) { [clock, demand] in came = (clock.now, demand.watch()) }
        let time = try #require(came).time
        while readings.value.sequence < 2 { try loop.step() }
        #expect(clock.now - time < 1.001)
        #expect(try #require(readings.value.frame).sequence == (after < 1 ? 1 : 2))
    }

    @Test("a watcher that comes while the pump waits for a frame gets that frame")
    func watcherDuringWait() throws {
        var loop = try loop(period: 1, promised: 0.1)
        var token: InterestToken?
        loop.source.duringWait = { [demand] in token = demand.watch() }
        while token == nil { try loop.step() }
        #expect(readings.value.frame?.sequence == 1)
    }

    @Test("a request for a picture ends the rest")
    func viewer() throws {
        var loop = try loop(period: 1)
        var came: (time: MonotonicTime, subscription: PictureSubscription)?
        try loop.rest(0.5) { [clock, hub] in
            if let subscription = hub.join(.live) { came = (clock.now, subscription) }
        }
        let time = try #require(came).time
        while loop.source.counters.delivered < 2 { try loop.step() }
        #expect(clock.now - time < 1)
    }

    @Test("while somebody watches pictures, a caller gets the next frame, and only that frame is read")
    func askedBesidePictures() async throws {
        var loop = try loop(period: 1)
        let subscription = try #require(hub.join(.live))
        for _ in 1...5 { try loop.step() }
        #expect(loop.source.rests == 0)
        #expect(readings.value.sequence == 1)
        let answers = demand.requestReading()
        for _ in 1...5 { try loop.step() }
        #expect(await answers.first { _ in true }?.frame?.sequence == 6)
        #expect(readings.value.sequence == 2)
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "while no frame is wanted, three frames accumulate at a time and one a minute is read",
        arguments: [1, 1.0 / 15])
    func nobody(period: Double) throws {
        var loop = try loop(period: period)
        let start = clock.now
        while clock.now - start < 600 { try loop.step() }
        let frames = 600 / period
        #expect(abs(Double(loop.source.counters.delivered) - frames) < 5)
        #expect(abs(Double(loop.steps) - frames / 3) < 15)
        #expect((10...11).contains(readings.value.sequence))
    }

    @Test("every frame is read if frames are too rare to wait for", arguments: [nil, 1.0 / 15])
    func rare(promised: Double?) throws {
        var loop = try loop(period: 5, promised: promised)
        // The second frame shows that frames are rarer than the driver promised.
        while loop.source.counters.delivered < 3 { try loop.step() }
        let rests = loop.source.rests
        for _ in 1...10 { try loop.step() }
        #expect(loop.source.rests == rests)
        #expect(demand.framesAreRare)
        #expect(readings.value.frame?.sequence == UInt32(loop.source.counters.delivered) - 1)
    }

    @Test("a reading of several frames averages the newest ones even while nobody watches")
    func mean() throws {
        var config = Config()
        config.readings.frames = 3
        var loop = try loop(period: 1, config: config)
        for _ in 1...60 { try loop.step() }
        let newest = Int(loop.source.counters.delivered) - 1
        #expect(loop.source.rests == 0 && newest > 3)
        #expect(readings.value.rgb.map { Int($0.r) } == newest - 1)
    }

    @Test("a caller gets a new frame whatever the rate of readings is", arguments: [0.1, 60])
    func rates(rate: Double) async throws {
        var config = Config()
        config.readings.rate = rate
        var loop = try loop(period: 1, config: config)
        var answers: Demand.Answers?
        try loop.rest(1.5) { [demand] in answers = demand.requestReading() }
        while demand.hasCallers { try loop.step() }
        #expect(await answers?.first { _ in true }?.frame?.sequence == 1)
    }
}
