import Testing
import V4L2

@testable import Capture
@testable import Handoff

@Suite("The time between two frames")
struct FramePeriodTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test("is what the driver promises until two frames have come, or a second if it promises nothing")
    func promised() {
        var period = FramePeriod(framesPerSecond: 4)
        #expect(period.seconds == 0.25)
        period.note(start, delivered: 1)
        #expect(period.seconds == 0.25)
        #expect(FramePeriod(framesPerSecond: nil).seconds == 1)
        #expect(FramePeriod(framesPerSecond: 0).seconds == 1)
    }

    @Test("is what it is when the camera is slower than promised, and what was promised when it is not")
    func measured() {
        var period = FramePeriod(framesPerSecond: 4)
        period.note(start, delivered: 1)
        period.note(start + 2, delivered: 2)
        #expect(period.seconds == 2)
        period.note(start + 2.1, delivered: 3)
        #expect(period.seconds == 0.25)
    }

    @Test("is what it is when the driver promises nothing")
    func unpromised() {
        var period = FramePeriod(framesPerSecond: nil)
        period.note(start, delivered: 1)
        period.note(start + 0.1, delivered: 2)
        #expect(period.seconds == 0.1)
    }

    @Test("counts frames that went back unseen")
    func gathered() {
        var period = FramePeriod(framesPerSecond: 4)
        period.note(start, delivered: 1)
        period.note(start + 3, delivered: 4)
        #expect(period.seconds == 1)
    }

    @Test("stays when stamps stand still or go back", arguments: [0, -5])
    func badStamps(seconds: Double) {
        var period = FramePeriod(framesPerSecond: 4)
        period.note(start, delivered: 1)
        period.note(start + seconds, delivered: 2)
        #expect(period.seconds == 0.25)
    }
}
