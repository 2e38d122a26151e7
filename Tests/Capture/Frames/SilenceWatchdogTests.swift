import Testing
import V4L2

@testable import Capture
@testable import Handoff

@Suite("The silence watchdog")
struct SilenceWatchdogTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test(
        "a source is silent after 5 s without a first frame, or after two of the periods that it promises",
        arguments: [(1.0 / 30, 5), (10, 20)])
    func first(period: Double, timeout: Double) {
        let watchdog = SilenceWatchdog(period: period, start: start)
        #expect(watchdog.silence(at: start + (timeout - 0.001)) == nil)
        #expect(watchdog.silence(at: start + timeout) == timeout)
    }

    @Test(
        "the first frame may take 5 s at the first attempt, 10 s at the second, and 20 s at any later one",
        arguments: [(0, 5), (1, 10), (2, 20), (9, 20)] as [(Int, Double)])
    func patience(failures: Int, timeout: Double) {
        let watchdog = SilenceWatchdog(period: 1.0 / 30, start: start, failures: failures)
        #expect(watchdog.silence(at: start + (timeout - 0.001)) == nil)
        #expect(watchdog.silence(at: start + timeout) == timeout)
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
}

@Suite("The time between two frames")
struct FramePeriodTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test(
        "the frame period is the promised one, or the measured one if that is longer; at most 5 and 20 s, and until then at least 1",
        arguments: [
            (4, [], 1), (0.5, [], 2), (nil, [], 1), (0, [], 1), (4, [(0, 1)], 1), (4, [(0, 1), (2, 2)], 2),
            (1e-5, [], 5), (4, [(0, 1), (1e6, 2)], 20),
            (4, [(0, 1), (2, 2), (2.1, 3)], 0.25), (nil, [(0, 1), (0.1, 2)], 0.1),
            // Frames that were not read in between.
            (4, [(0, 1), (3, 4)], 1),
            // Times that stand still or go back.
            (4, [(0, 1), (0, 2)], 1), (4, [(0, 1), (-5, 2)], 1),
        ] as [(Double?, [(Double, UInt64)], Double)])
    func period(promised: Double?, frames: [(Double, UInt64)], seconds: Double) {
        var period = FramePeriod(framesPerSecond: promised)
        for (time, delivered) in frames { period.record(start + time, delivered: delivered) }
        #expect(period.seconds == seconds)
    }
}
