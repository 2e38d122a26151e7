import Handoff
import Testing

@testable import Capture

@Suite("The silence watchdog")
struct SilenceWatchdogTests {
    private let start = MonotonicTime(nanoseconds: 0)

    @Test("a source is silent after 5 s without a first frame")
    func first() {
        let watchdog = SilenceWatchdog(framesPerSecond: 30, start: start)
        #expect(watchdog.silence(at: start + 4.999) == nil)
        #expect(watchdog.silence(at: start + 5) == 5)
    }

    @Test(
        "a source that has delivered is silent after four frame periods, but not before 2 s",
        arguments: [(30, 2), (1, 4), (nil, 4), (0.5, 8), (0.001, 400)] as [(Double?, Double)])
    func later(framesPerSecond: Double?, timeout: Double) {
        var watchdog = SilenceWatchdog(framesPerSecond: framesPerSecond, start: start)
        watchdog.noteFrame(at: start + 1)
        #expect(watchdog.silence(at: start + 0.999 + timeout) == nil)
        #expect(watchdog.silence(at: start + 1 + timeout) == timeout)
    }
}
