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
    let readings = Latest(Reading.none)
    let demand = Demand()
    let notices = Notices()
    let revisions = Latest(Revisions())
    let influence = Latest(ControlInfluence())
    let clock = ManualClock()

    var now: MonotonicTime { clock.now }
    var date: Date { clock.date }

    func advance(by seconds: Double) { clock.advance(by: seconds) }

    func publisher(rate: Double = 4) -> ReadingPublisher {
        ReadingPublisher(
            settings: .init(rate: rate), readings: readings, notices: notices, revisions: revisions,
            influence: influence, demand: demand, clocks: clock.clocks)
    }

    func publish(_ red: Double, by publisher: ReadingPublisher, capturedAt time: MonotonicTime? = nil) {
        publisher.publish(
            .init(mean: RGB(r: red, g: 2, b: 3)),
            of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0, time: time ?? now),
            camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15,
            dropped: 0, at: now)
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

    @Test("the absence of a colour is published immediately if it is new, otherwise once a tick")
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

    @Test("the age of a frame from the future is 0")
    func future() {
        let publisher = publisher()
        publish(10, by: publisher, capturedAt: now + 5)
        #expect(readings.value.frame?.ageMs == 0)
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
