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
        let color = RGB(CIELab(lightness: lightness, a: 0, b: 0))
        return StateMessage(.sample.with { $0.mean = color }, isLocked: false, name: "Bench")
    }

    /// Returns whether each message is sent, of greys with these lightnesses at these times.
    private func sent(_ messages: [(lightness: Double, seconds: Double)]) -> [Bool] {
        var schedule = StateSchedule(interval: 10, change: 2)
        return messages.map { schedule.next(message(lightness: $0.lightness), at: time($0.seconds)) != nil }
    }

    @Test("the first message is sent at once")
    func first() {
        var schedule = StateSchedule(interval: 10, change: 2)
        #expect(schedule.opening == nil)
        #expect(schedule.next(message(lightness: 50), at: time(0)) != nil)
        #expect(schedule.opening == time(1))
    }

    @Test("a small change waits for the interval, and an unchanged message is repeated every 30 seconds")
    func interval() {
        #expect(sent([(50, 0), (50.5, 9.9), (50.5, 10)]) == [true, false, true])
        #expect(sent([(50, 0), (50, 29.9), (50, 30), (50, 59)]) == [true, false, true, false])
    }

    @Test("a great change is sent at once, but not within a second; small ones add up to the last message")
    func greatChange() {
        #expect(sent([(50, 0), (60, 0.9), (60, 1)]) == [true, false, true])
        #expect(sent([(50, 0), (51.5, 2), (53, 3)]) == [true, false, true])
    }

    @Test("of changes within a second, the last one is sent, and not lost")
    func lastChange() {
        #expect(sent([(50, 0), (60, 0.2), (70, 0.4), (80, 0.8)]) == [true, false, false, false])
        var schedule = StateSchedule(interval: 10, change: 2)
        _ = schedule.next(message(lightness: 50), at: time(0))
        _ = schedule.next(message(lightness: 70), at: time(0.8))
        #expect(schedule.next(message(lightness: 80), at: time(1)) == message(lightness: 80).payload)
    }

    @Test("a forced message follows a second after the last one, and only once")
    func forced() {
        var schedule = StateSchedule(interval: 10, change: 2)
        _ = schedule.next(message(lightness: 50), at: time(0))
        schedule.force()
        #expect(schedule.next(message(lightness: 50), at: time(0.5)) == nil)
        #expect(schedule.next(message(lightness: 50), at: time(1)) != nil)
        #expect(schedule.next(message(lightness: 50), at: time(2)) == nil)
    }

    private static let changes: [@Sendable (inout Reading) -> Void] = [
        { $0.effect = "edges" }, { $0.rate.wanted = 1 }, { $0.camera?.name = "Another" }, { $0.state = .testPattern },
        { $0.mean = nil },
    ]

    @Test(
        "a change of the effect, the rate, the camera or the state, and the loss of the colour and its return, are sent at once",
        arguments: changes)
    func words(_ change: @Sendable (inout Reading) -> Void) {
        let next = StateMessage(.sample.with(change), isLocked: false, name: "Bench")
        #expect(areBothSent(next))
    }

    @Test("a lock of the controls, and its end, are sent at once")
    func lock() {
        #expect(areBothSent(StateMessage(.sample, isLocked: true, name: "Bench")))
    }

    /// Returns whether a message is sent a second after that about the sample, and again the latter.
    private func areBothSent(_ next: StateMessage) -> Bool {
        var schedule = StateSchedule(interval: 10, change: 2)
        let first = StateMessage(.sample, isLocked: false, name: "Bench")
        _ = schedule.next(first, at: time(0))
        return schedule.next(next, at: time(1)) != nil && schedule.next(first, at: time(2)) != nil
    }
}
