import Testing
import V4L2

@testable import Capture
@testable import Handoff

@Suite("The silence watchdog")
struct SilenceWatchdogTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test("a source is silent after 5 s without a first frame")
    func first() {
        let watchdog = SilenceWatchdog(period: 1.0 / 30, start: start)
        #expect(watchdog.silence(at: start + 4.999) == nil)
        #expect(watchdog.silence(at: start + 5) == 5)
    }

    @Test("a source is silent 5 s after its first frame if there is no second one")
    func second() {
        var watchdog = SilenceWatchdog(period: 1.0 / 30, start: start)
        watchdog.recordFrame(at: start + 1, period: 1.0 / 30)
        #expect(watchdog.silence(at: start + 5.999) == nil)
        #expect(watchdog.silence(at: start + 6) == 5)
    }

    @Test(
        "a source that has delivered is silent after four frame periods, but not before 2 s",
        arguments: [(1.0 / 30, 2), (0.5, 2), (1, 4), (2, 8), (100, 400)])
    func later(period: Double, timeout: Double) {
        var watchdog = SilenceWatchdog(period: 1.0 / 30, start: start)
        watchdog.recordFrame(at: start, period: 1.0 / 30)
        watchdog.recordFrame(at: start + 1, period: period)
        #expect(watchdog.silence(at: start + 0.999 + timeout) == nil)
        #expect(watchdog.silence(at: start + 1 + timeout) == timeout)
    }

    @Test("a source that promises a frame in 10 s may take 40 s for the first one")
    func slow() {
        let watchdog = SilenceWatchdog(period: 10, start: start)
        #expect(watchdog.silence(at: start + 39) == nil)
        #expect(watchdog.silence(at: start + 40) == 40)
    }
}

@Suite("The time between two frames")
struct FramePeriodTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test("until two frames have come, the frame period is the promised one, or a second without a promise")
    func promised() {
        var period = FramePeriod(framesPerSecond: 4)
        #expect(period.seconds == 0.25)
        period.record(start, delivered: 1)
        #expect(period.seconds == 0.25)
        #expect(FramePeriod(framesPerSecond: nil).seconds == 1)
        #expect(FramePeriod(framesPerSecond: 0).seconds == 1)
    }

    @Test("the frame period is the measured one if that is longer than promised, and otherwise the promised one")
    func measured() {
        var period = FramePeriod(framesPerSecond: 4)
        period.record(start, delivered: 1)
        period.record(start + 2, delivered: 2)
        #expect(period.seconds == 2)
        period.record(start + 2.1, delivered: 3)
        #expect(period.seconds == 0.25)
    }

    @Test("the frame period is the measured one if the driver promises nothing")
    func unpromised() {
        var period = FramePeriod(framesPerSecond: nil)
        period.record(start, delivered: 1)
        period.record(start + 0.1, delivered: 2)
        #expect(period.seconds == 0.1)
    }

    @Test("the frame period takes unread frames into account")
    func gathered() {
        var period = FramePeriod(framesPerSecond: 4)
        period.record(start, delivered: 1)
        period.record(start + 3, delivered: 4)
        #expect(period.seconds == 1)
    }

    @Test("the frame period stays the same if timestamps stand still or go back", arguments: [0, -5])
    func badStamps(seconds: Double) {
        var period = FramePeriod(framesPerSecond: 4)
        period.record(start, delivered: 1)
        period.record(start + seconds, delivered: 2)
        #expect(period.seconds == 0.25)
    }
}
