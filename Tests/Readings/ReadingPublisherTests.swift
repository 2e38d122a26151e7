import Color
import Foundation
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("The publisher of readings")
final class ReadingPublisherTests: Sendable {
    private let readings = Latest(Reading.none)
    private let demand = Demand()
    private let notices = Notices()
    private let revisions = Latest(Revisions())
    private let influence = Latest(ControlInfluence())
    /// The seconds since the start, on both clocks.
    private let seconds = Mutex(0.0)

    private var now: MonotonicTime { MonotonicTime(nanoseconds: 5_000_000_000) + seconds.withLock(\.self) }
    private var date: Date { Date(timeIntervalSince1970: 1_000_000 + seconds.withLock(\.self)) }

    private func advance(by duration: Double) { seconds.withLock { $0 += duration } }

    private func publisher(rate: Double = 4, isWatched: Bool = true) -> ReadingPublisher {
        ReadingPublisher(
            settings: .init(rate: rate), readings: readings, notices: notices, revisions: revisions,
            influence: influence, demand: isWatched ? nil : demand, clock: { [self] in now }, date: { [self] in date }
        )
    }

    private func publish(_ red: Double, by publisher: ReadingPublisher, capturedAt time: MonotonicTime? = nil) {
        publisher.publish(
            RGB(r: red, g: 2, b: 3), of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0),
            capturedAt: time ?? now, camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15,
            dropped: 0, at: now)
    }

    private func repeatIfOverdue(_ publisher: ReadingPublisher) {
        publisher.repeatIfOverdue(captureRate: 7, dropped: 3, at: now)
    }

    @Test("a tick that ends before the first frame publishes nothing and moves the deadline on")
    func noFrameYet() {
        let publisher = publisher()
        advance(by: 10)
        repeatIfOverdue(publisher)
        #expect(publisher.deadline > now)
        #expect(readings.value.sequence == 0)
        #expect(publisher.isDue(at: now))
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

    @Test("repetitions missed while the machine slept are not made up for")
    func sleep() {
        let publisher = publisher()
        publish(10, by: publisher)
        advance(by: 3600)
        for _ in 1...5 { repeatIfOverdue(publisher) }
        #expect(readings.value.sequence == 2)
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
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        let loss = date
        #expect(readings.value.since == loss)
        advance(by: 1)
        publisher.publish(.init(state: .lost, message: "It is still gone."), camera: nil, at: now)
        #expect(readings.value.since == loss)
        advance(by: 1)
        publish(30, by: publisher)
        #expect(readings.value.since == date)
    }

    @Test("the absence of a colour is published at once if it is news, otherwise once a tick")
    func absence() {
        let publisher = publisher()
        publish(10, by: publisher)
        let unavailable = ReadingPublisher.Unavailable(state: .lost, message: "It is gone.")
        for expected in [2, 2, 3] as [UInt64] {
            publisher.publish(unavailable, camera: nil, at: now)
            #expect(readings.value.sequence == expected)
            advance(by: 0.25)
        }
        #expect(readings.value.rgb == nil)
        #expect(readings.value.rate.capture == 0)
        publisher.publish(.init(state: .lost, message: "It is still gone."), camera: nil, at: now)
        #expect(readings.value.sequence == 4)
        publisher.publish(
            .init(state: .lost, message: "It is still gone."), camera: Reading.Camera(id: "x", name: "x"), at: now)
        #expect(readings.value.sequence == 5)
    }

    @Test("a colour from before an absence is not repeated after it")
    func noRepeatAfterAbsence() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        advance(by: 1)
        repeatIfOverdue(publisher)
        #expect(readings.value.state == .lost)
    }

    @Test("a watcher that comes after a quiet hour does not get the colour of an hour ago as new")
    func quietHour() {
        let publisher = publisher(isWatched: false)
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
        #expect(publisher.isDue(at: now))
        withExtendedLifetime(token) {}
    }

    @Test("while nobody watches, a tick lasts a minute")
    func quietRate() {
        let publisher = publisher(isWatched: false)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        #expect(publisher.isQuiet)
        publish(20, by: publisher)
        advance(by: 59)
        #expect(!publisher.isDue(at: now))
        advance(by: 1)
        #expect(publisher.isDue(at: now))
    }

    @Test("readings that average two frames want every frame, although nobody watches")
    func averaged() {
        let publisher = publisher(isWatched: false)
        publisher.settings = .init(frames: 2)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        #expect(!publisher.isQuiet)
        publish(20, by: publisher)
        advance(by: 0.25)
        #expect(publisher.isDue(at: now))
    }

    @Test("until there is a colour, every frame is wanted")
    func firstFrame() {
        let publisher = publisher(isWatched: false)
        publisher.followDemand(framePeriod: 0.1)
        #expect(!publisher.isQuiet)
        #expect(publisher.isDue(at: now))
    }

    @Test("between two ticks, a frame is wanted if a caller waits for it")
    func betweenTicks() {
        let publisher = publisher(isWatched: false)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        publish(20, by: publisher)
        #expect(!publisher.isDue(at: now))
        let answers = demand.requestReading()
        #expect(publisher.isDue(at: now))
        withExtendedLifetime(answers) {}
    }

    @Test(
        "between two rare ticks, a frame is wanted if a watcher has just come or frames are rare",
        arguments: [true, false])
    func betweenRareTicks(isWatcher: Bool) {
        let publisher = publisher(isWatched: false)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        publish(20, by: publisher)
        #expect(!publisher.isDue(at: now))
        let token = isWatcher ? demand.watch() : nil
        if !isWatcher { demand.framePeriod = 3600 }
        #expect(publisher.isDue(at: now))
        withExtendedLifetime(token) {}
    }

    @Test("the age of a frame from the future is 0")
    func future() {
        let publisher = publisher()
        publish(10, by: publisher, capturedAt: now + 5)
        #expect(readings.value.frame?.ageMs == 0)
    }

    @Test("an edited rate takes effect with the next tick")
    func editedRate() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.settings = .init(rate: 1)
        publish(10, by: publisher)
        advance(by: 0.9)
        #expect(!publisher.isDue(at: now))
        advance(by: 0.1)
        #expect(publisher.isDue(at: now))
        publish(10, by: publisher)
        #expect(readings.value.rate.wanted == 1)
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
            publisher.publish(
                RGB(r: 1, g: 2, b: 3), isIndependent: index.isMultiple(of: 2),
                of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0), capturedAt: now,
                camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: 0, at: now)
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
        case "controls": influence.update { $0.changes += 1 }
        case "state": publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        default: publisher.noteDisturbance()
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
        influence.update { $0.automatics = ["Gain, Automatic"] }
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
    }

    @Test("a reading's quality knows the automatic controls, lost frames and the darkness")
    func quality() {
        let publisher = publisher()
        publish(newFrames: 200, by: publisher)
        #expect(readings.value.quality?.flags.map(\.code) == [.dark])
        influence.publish(.init(automatics: ["Gain, Automatic"]))
        advance(by: 1)
        publisher.publish(
            RGB(r: 200, g: 200, b: 200), of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0),
            capturedAt: now, camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: 8,
            at: now)
        // 8 of 8 + 158 frames.
        #expect(readings.value.quality?.flags.map(\.code) == [.unsettled, .noisy, .automatic, .skipped])
        #expect(readings.value.quality?.grade == .fair)
    }

    @Test("a reading without a colour has no quality")
    func noQuality() {
        let publisher = publisher()
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        #expect(readings.value.quality == nil)
    }
}
