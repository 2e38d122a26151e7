import Handoff
import Testing

@testable import Capture

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
        watchdog.noteFrame(at: start + 1, period: 1.0 / 30)
        #expect(watchdog.silence(at: start + 5.999) == nil)
        #expect(watchdog.silence(at: start + 6) == 5)
    }

    @Test(
        "a source that has delivered is silent after four frame periods, but not before 2 s",
        arguments: [(1.0 / 30, 2), (0.5, 2), (1, 4), (2, 8), (100, 400)])
    func later(period: Double, timeout: Double) {
        var watchdog = SilenceWatchdog(period: 1.0 / 30, start: start)
        watchdog.noteFrame(at: start, period: 1.0 / 30)
        watchdog.noteFrame(at: start + 1, period: period)
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
