import Color
import Handoff
import Readings
import TestSupport
import Testing

@testable import Fleet

@Suite("When the colour is sent")
struct StateScheduleTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + seconds }

    /// Returns the message about a grey with this lightness.
    private func message(lightness: Double) -> StateMessage {
        var message = StateMessage(.sample, isLocked: false, name: "Bench")
        message.lab = CIELab(lightness: lightness, a: 0, b: 0)
        message.lightness = lightness
        return message
    }

    private func schedule() -> StateSchedule { StateSchedule(interval: 10, change: 2) }

    @Test("the first message is sent at once")
    func first() {
        var schedule = schedule()
        #expect(schedule.opening == nil)
        #expect(schedule.next(message(lightness: 50), at: time(0)) != nil)
        #expect(schedule.opening == time(1))
    }

    @Test("a small change waits for the interval")
    func smallChange() {
        var schedule = schedule()
        _ = schedule.next(message(lightness: 50), at: time(0))
        #expect(schedule.next(message(lightness: 50.5), at: time(9.9)) == nil)
        #expect(schedule.next(message(lightness: 50.5), at: time(10)) != nil)
    }

    @Test("a great change is sent at once, but not within a second of the last message")
    func greatChange() {
        var schedule = schedule()
        _ = schedule.next(message(lightness: 50), at: time(0))
        #expect(schedule.next(message(lightness: 60), at: time(0.9)) == nil)
        #expect(schedule.next(message(lightness: 60), at: time(1)) != nil)
    }

    @Test("of changes within a second, the last one is sent, and not lost")
    func lastChange() {
        var schedule = schedule()
        _ = schedule.next(message(lightness: 50), at: time(0))
        for (lightness, seconds) in [(60, 0.2), (70, 0.4), (80.0, 0.8)] {
            #expect(schedule.next(message(lightness: lightness), at: time(seconds)) == nil)
        }
        #expect(schedule.next(message(lightness: 80), at: time(1)) == message(lightness: 80).payload)
    }

    @Test("small changes add up: the difference is that to the last message")
    func drift() {
        var schedule = schedule()
        _ = schedule.next(message(lightness: 50), at: time(0))
        #expect(schedule.next(message(lightness: 51.5), at: time(2)) == nil)
        #expect(schedule.next(message(lightness: 53), at: time(3)) != nil)
    }

    @Test("an unchanged message is repeated every 30 seconds")
    func repetition() {
        var schedule = schedule()
        _ = schedule.next(message(lightness: 50), at: time(0))
        #expect(schedule.next(message(lightness: 50), at: time(29.9)) == nil)
        #expect(schedule.next(message(lightness: 50), at: time(30)) != nil)
        #expect(schedule.next(message(lightness: 50), at: time(59)) == nil)
    }

    @Test("a forced message follows a second after the last one, and only once")
    func forced() {
        var schedule = schedule()
        _ = schedule.next(message(lightness: 50), at: time(0))
        schedule.force()
        #expect(schedule.next(message(lightness: 50), at: time(0.5)) == nil)
        #expect(schedule.next(message(lightness: 50), at: time(1)) != nil)
        #expect(schedule.next(message(lightness: 50), at: time(2)) == nil)
    }

    @Test("a change of the effect, the rate, the lock, the camera or the state is sent at once", arguments: 0..<5)
    func words(_ index: Int) {
        var schedule = schedule()
        let first = message(lightness: 50)
        _ = schedule.next(first, at: time(0))
        var next = first
        switch index {
        case 0: next.effect = "edges"
        case 1: next.rate = 1
        case 2: next.isLocked = true
        case 3: next.camera = "Another"
        default: next.state = .testPattern
        }
        #expect(schedule.next(next, at: time(1)) != nil)
    }

    @Test("the loss of the colour is sent at once, and so is its return")
    func loss() {
        var schedule = schedule()
        var lost = message(lightness: 50)
        _ = schedule.next(lost, at: time(0))
        lost.lab = nil
        #expect(schedule.next(lost, at: time(1)) != nil)
        #expect(schedule.next(message(lightness: 50), at: time(2)) != nil)
    }
}
