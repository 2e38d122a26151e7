import Color
import Foundation
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Documents
@testable import Handoff
@testable import Readings

@Suite("The publisher of readings")
final class ReadingPublisherTests: Sendable {
    let readings = Latest(Reading.none)
    let demand = Demand()
    let notices = Notices()
    let revisions = Latest(Revisions())
    let influence = Latest(ControlInfluence())
    let clock = ManualClock()

    var now: MonotonicTime { clock.now }
    var date: Date { clock.date }

    func advance(by seconds: Double) { clock.advance(by: seconds) }

    func publisher(rate: Double = 4, settlingTime: Double = 0) -> ReadingPublisher {
        ReadingPublisher(
            settings: .init(rate: rate), readings: readings, notices: notices, revisions: revisions,
            influence: influence, demand: demand, settlingTime: settlingTime, clocks: clock.clocks)
    }

    func publish(
        _ red: Double, green: Double = 2, blue: Double = 3, isIndependent: Bool = true, dropped: UInt64 = 0,
        by publisher: ReadingPublisher, capturedAt time: MonotonicTime? = nil
    ) {
        publisher.recordLosses(total: dropped, at: now)
        publisher.publish(
            .init(mean: RGB(r: red, g: green, b: blue)), isIndependent: isIndependent,
            of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0, time: time ?? now),
            camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: dropped, at: now)
    }

    /// Publishes that the camera is lost.
    func lose(_ publisher: ReadingPublisher, message: String = "It is gone.", camera: Reading.Camera? = nil) {
        publisher.publish(.init(state: .lost, message: message), camera: camera, at: now)
    }

    func repeatIfOverdue(_ publisher: ReadingPublisher) {
        publisher.repeatIfOverdue(captureRate: 7, dropped: 3, at: now)
    }

    @Test("a reading carries the colour, its notation and the age of its frame")
    func content() {
        let publisher = publisher()
        publish(254.6, by: publisher, capturedAt: now + -0.04)
        let reading = readings.value
        #expect(reading.hex == "#FF0203")
        #expect(reading.mean?.r == 254.6)
        #expect(reading.brightness == 259.6 / 765)
        let age = reading.frame?.ageMs ?? 0
        #expect(abs(age - 40) < 1e-6)
        #expect(reading.rate.wanted == 4)
        #expect(reading.time == date)
        // A frame may seem to come from the future.
        publish(10, by: publisher, capturedAt: now + 5)
        #expect(readings.value.frame?.ageMs == 0)
    }

    @Test("a reading's `since` stays the same until the state changes")
    func since() {
        let publisher = publisher()
        let start = date
        publish(10, by: publisher)
        advance(by: 1)
        repeatIfOverdue(publisher)
        advance(by: 1)
        publish(20, by: publisher)
        #expect(readings.value.since == start)
        advance(by: 1)
        lose(publisher)
        let loss = date
        #expect(readings.value.since == loss)
        advance(by: 1)
        lose(publisher, message: "It is still gone.")
        #expect(readings.value.since == loss)
        advance(by: 1)
        publish(30, by: publisher)
        #expect(readings.value.since == date)
    }

    @Test("the absence of a colour is published immediately if it is new, otherwise once a tick")
    func absence() {
        let publisher = publisher()
        publish(10, by: publisher)
        for expected in [2, 2, 3] as [UInt64] {
            lose(publisher)
            #expect(readings.value.sequence == expected)
            advance(by: 0.25)
        }
        #expect(readings.value.rgb == nil && readings.value.quality == nil && readings.value.rate.capture == 0)
        lose(publisher, message: "It is still gone.")
        #expect(readings.value.sequence == 4)
        lose(publisher, message: "It is still gone.", camera: Reading.Camera(id: "x", name: "x"))
        #expect(readings.value.sequence == 5)
        // A colour from before is not repeated.
        advance(by: 1)
        repeatIfOverdue(publisher)
        #expect(readings.value.state == .lost)
    }

    @Test("every reading carries the notices and revisions that are current when it is published")
    func companions() {
        let publisher = publisher()
        notices.post("Restart.", about: .restart)
        revisions.update { $0.cameras = 7 }
        publish(10, by: publisher)
        #expect(readings.value.notices == [Notice(topic: .restart, message: "Restart.")])
        #expect(readings.value.revisions == Revisions(cameras: 7, controls: 0))
        notices.post(nil, about: .restart)
        publish(10, by: publisher)
        #expect(readings.value.notices.isEmpty)
    }
}

/// Tests of when a reading is made: in each tick, and when somebody wants one.
extension ReadingPublisherTests {
    @Test("a tick that ends before the first frame publishes nothing and moves the deadline on")
    func noFrameYet() {
        let publisher = publisher()
        advance(by: 10)
        repeatIfOverdue(publisher)
        #expect(publisher.deadline > now)
        #expect(readings.value.sequence == 0)
        #expect(publisher.need(at: now) == .reading)
    }

    @Test("a reading is repeated in each tick without a frame, with the next number and a greater age")
    func repeats() {
        let publisher = publisher()
        publish(10, by: publisher)
        var sequences: [UInt64] = []
        for _ in 1...4 {
            advance(by: 0.25)
            repeatIfOverdue(publisher)
            sequences.append(readings.value.sequence)
        }
        // No repetition is due until the tick after the reading's own has ended.
        #expect(sequences == [1, 2, 3, 4])
        #expect(readings.value.rgb?.r == 10)
        #expect(readings.value.frame?.ageMs == 1000)
        #expect(readings.value.rate.capture == 7)
        #expect(readings.value.dropped == 3)
    }

    @Test("every reading is recorded once, and a repetition is marked as one")
    func recorded() {
        let recorded = Mutex<[(sequence: UInt64, isRepeated: Bool)]>([])
        let publisher = ReadingPublisher(
            settings: .init(rate: 4), readings: readings, clocks: clock.clocks,
            record: { reading, isRepeated in recorded.withLock { $0.append((reading.sequence, isRepeated)) } })
        publish(10, by: publisher)
        advance(by: 0.25)
        repeatIfOverdue(publisher)
        advance(by: 0.25)
        repeatIfOverdue(publisher)
        publish(20, by: publisher)
        lose(publisher)
        let (sequences, repetitions) = recorded.withLock { ($0.map(\.sequence), $0.map(\.isRepeated)) }
        #expect(sequences == [1, 2, 3, 4] && repetitions == [false, true, false, false])
    }

    @Test("repetitions missed while the machine slept are not made up for")
    func sleep() {
        let publisher = publisher()
        publish(10, by: publisher)
        advance(by: 3600)
        for _ in 1...5 { repeatIfOverdue(publisher) }
        #expect(readings.value.sequence == 2)
    }

    @Test("a watcher that comes after a quiet hour does not get the colour of an hour ago as new")
    func quietHour() {
        let publisher = publisher()
        publisher.followDemand(framePeriod: 0.1)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        advance(by: 3600)
        let token = demand.watch()
        publisher.followDemand(framePeriod: 0.1)
        let sequence = readings.value.sequence
        advance(by: 1)
        repeatIfOverdue(publisher)
        #expect(readings.value.sequence == sequence)
        #expect(publisher.need(at: now) == .reading)
        withExtendedLifetime(token) {}
    }

    @Test("while nobody watches, a tick lasts a minute")
    func quietRate() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        #expect(!publisher.wantsNextFrame)
        publish(20, by: publisher)
        advance(by: 59)
        #expect(publisher.need(at: now) == .nothing)
        advance(by: 1)
        #expect(publisher.need(at: now) == .reading)
    }

    @Test("readings that average two frames want every frame, although nobody watches")
    func averaged() {
        let publisher = publisher()
        publisher.settings = .init(frames: 2)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        #expect(publisher.wantsNextFrame)
        publish(20, by: publisher)
        advance(by: 0.25)
        #expect(publisher.need(at: now) == .reading)
    }

    @Test("until there is a colour, every frame is wanted")
    func firstFrame() {
        let publisher = publisher()
        publisher.followDemand(framePeriod: 0.1)
        #expect(publisher.wantsNextFrame)
        #expect(publisher.need(at: now) == .reading)
    }

    @Test(
        "between two ticks, a frame is wanted if a caller waits, a watcher has just come, or frames are rare",
        arguments: ["caller", "watcher", "rare"])
    func betweenTicks(reason: String) {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        publish(20, by: publisher)
        #expect(publisher.need(at: now) == .nothing)
        let answers = reason == "caller" ? demand.requestReading() : nil
        let token = reason == "watcher" ? demand.watch() : nil
        if reason == "rare" { demand.framePeriod = 3600 }
        #expect(publisher.need(at: now) == .reading)
        withExtendedLifetime((answers, token)) {}
    }

    @Test("an edited rate takes effect with the next tick")
    func editedRate() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.settings = .init(rate: 1)
        publish(10, by: publisher)
        advance(by: 0.9)
        #expect(publisher.need(at: now) == .nothing)
        advance(by: 0.1)
        #expect(publisher.need(at: now) == .reading)
        publish(10, by: publisher)
        #expect(readings.value.rate.wanted == 1)
    }
}

/// Tests of the statistics over time and of the quality that follows from them.
extension ReadingPublisherTests {
    /// Publishes readings of new frames, one every quarter of a second.
    private func publish(newFrames count: Int, by publisher: ReadingPublisher) {
        for _ in 0..<count {
            advance(by: 0.25)
            publish(10, by: publisher)
        }
    }

    @Test("from the eighth reading on, readings carry their noise and whether they have settled")
    func stability() {
        let publisher = publisher()
        publish(newFrames: 7, by: publisher)
        #expect(readings.value.stability == Reading.Stability())
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
        #expect(readings.value.stability.steadiness?.isSettled == true)
    }

    @Test("a repeated reading is not an observation, and repeats the statistics")
    func repeatedStatistics() {
        let publisher = publisher()
        publish(newFrames: 7, by: publisher)
        for _ in 1...5 {
            advance(by: 0.25)
            repeatIfOverdue(publisher)
        }
        #expect(readings.value.sequence > 8)
        #expect(readings.value.stability.noise == nil)
        publish(newFrames: 1, by: publisher)
        let stability = readings.value.stability
        #expect(stability.noise != nil)
        advance(by: 1)
        repeatIfOverdue(publisher)
        #expect(readings.value.stability == stability)
        #expect(readings.value.quality != nil)
    }

    @Test("a reading that shares frames with an earlier one is not an observation")
    func shared() {
        let publisher = publisher()
        for index in 0..<15 {
            advance(by: 0.25)
            publish(1, isIndependent: index.isMultiple(of: 2), by: publisher)
            #expect((readings.value.stability.noise != nil) == (index == 14))
        }
    }

    @Test("a disturbance starts the statistics again", arguments: ["region", "frames", "controls", "state", "source"])
    func disturbance(what: String) {
        let publisher = publisher()
        publish(newFrames: 8, by: publisher)
        #expect(readings.value.stability.noise != nil)
        switch what {
        case "region": publisher.settings.region = .init(x: 0, y: 0, width: 0.5, height: 1)
        case "frames": publisher.settings.frames = 2
        case "controls": influence.update { $0.changeCount += 1 }
        case "state": lose(publisher)
        default: publisher.markDisturbance()
        }
        publish(newFrames: 7, by: publisher)
        #expect(readings.value.stability.noise == nil)
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
    }

    @Test("other changes do not disturb the statistics")
    func undisturbed() {
        let publisher = publisher()
        publish(newFrames: 8, by: publisher)
        publisher.settings.rate = 5
        publisher.settings.effect = "edges"
        revisions.update { $0.settings += 1 }
        revisions.update { $0.cameras += 1 }
        // Some controls change with every frame.
        revisions.update { $0.controls += 1 }
        influence.update { $0.activeAutoControls = ["Gain, Automatic"] }
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
    }

    @Test(
        "a reading says settling until the colour of a camera that was opened has held for a second, or the limit is over",
        arguments: [
            // Every 0.5 s: the red of the frames, and the first of them that no longer settles.
            ([10, 10, 10, 10], 2), ([10, 90, 180, 180, 180, 180], 4), ([10, 90, 180, 90, 10, 90, 180, 90], 6),
            ([10, 10.9, 10.9], 2), ([0, 0, 0, 10, 10, 10], 5), ([0, 0, 0, 0, 0, 0, 0], 6),
        ] as [([Double], Int)])
    func settling(reds: [Double], settled: Int) {
        let publisher = publisher(settlingTime: 3)
        publisher.beginSource("id", settles: true)
        let flags = reds.map { red in
            publish(red, green: 0, blue: 0, by: publisher)
            advance(by: 0.5)
            return readings.value.isSettling
        }
        #expect(flags == reds.indices.map { $0 < settled })
    }

    @Test("without a limit, and for a source that cannot settle, no reading says settling", arguments: [0.0, 3])
    func notSettling(limit: Double) {
        let publisher = publisher(settlingTime: limit)
        publisher.beginSource("id", settles: limit == 0)
        publish(10, by: publisher)
        #expect(!readings.value.isSettling)
    }

    @Test("faults are counted on if the same camera is opened again, and from 0 for another one")
    func faults() {
        let publisher = publisher()
        var counts: [UInt64] = []
        for camera in ["id", "id", "other"] {
            publisher.beginSource(camera, settles: false)
            publisher.faults[.damaged] = 2
            publish(10, by: publisher)
            counts.append(readings.value.faults[.damaged])
        }
        #expect(counts == [2, 4, 2])
    }

    @Test("a reading's quality takes automatic controls, lost frames and darkness into account")
    func quality() {
        let publisher = publisher()
        publish(newFrames: 200, by: publisher)
        #expect(readings.value.quality?.flags.map(\.code) == [.dark])
        influence.publish(.init(activeAutoControls: ["Gain, Automatic"]))
        advance(by: 1)
        publish(200, green: 200, blue: 200, dropped: 8, by: publisher)
        // 8 of 8 + 158 frames.
        #expect(readings.value.quality?.flags.map(\.code) == [.unsettled, .automatic, .lostFrames])
        #expect(readings.value.quality?.grade == .fair)
    }
}
