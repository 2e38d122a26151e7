import Testing
import V4L2

@testable import Capture
@testable import Handoff

@Suite("The time between two frames")
struct FramePeriodTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test("until two frames have come, the frame period is the promised one, or a second without a promise")
    func promised() {
        var period = FramePeriod(framesPerSecond: 4)
        #expect(period.seconds == 0.25)
        period.note(start, delivered: 1)
        #expect(period.seconds == 0.25)
        #expect(FramePeriod(framesPerSecond: nil).seconds == 1)
        #expect(FramePeriod(framesPerSecond: 0).seconds == 1)
    }

    @Test("the frame period is the measured one if that is longer than promised, and otherwise the promised one")
    func measured() {
        var period = FramePeriod(framesPerSecond: 4)
        period.note(start, delivered: 1)
        period.note(start + 2, delivered: 2)
        #expect(period.seconds == 2)
        period.note(start + 2.1, delivered: 3)
        #expect(period.seconds == 0.25)
    }

    @Test("the frame period is the measured one if the driver promises nothing")
    func unpromised() {
        var period = FramePeriod(framesPerSecond: nil)
        period.note(start, delivered: 1)
        period.note(start + 0.1, delivered: 2)
        #expect(period.seconds == 0.1)
    }

    @Test("the frame period takes unread frames into account")
    func gathered() {
        var period = FramePeriod(framesPerSecond: 4)
        period.note(start, delivered: 1)
        period.note(start + 3, delivered: 4)
        #expect(period.seconds == 1)
    }

    @Test("the frame period stays the same if timestamps stand still or go back", arguments: [0, -5])
    func badStamps(seconds: Double) {
        var period = FramePeriod(framesPerSecond: 4)
        period.note(start, delivered: 1)
        period.note(start + seconds, delivered: 2)
        #expect(period.seconds == 0.25)
    }
}
