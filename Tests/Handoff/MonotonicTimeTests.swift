import Glibc
import Testing

@testable import Handoff

@Suite("A moment on the monotonic clock")
struct MonotonicTimeTests {
    private let moment = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test("the difference of two moments is in seconds")
    func differences() {
        #expect(moment + 1.5 == MonotonicTime(nanoseconds: 6_500_000_000))
        #expect(moment + -1.5 == MonotonicTime(nanoseconds: 3_500_000_000))
        #expect((moment + 2.25) - moment == 2.25)
        #expect(moment - (moment + 2.25) == -2.25)
    }

    @Test("a moment is earlier than those after it")
    func order() {
        #expect(moment < moment + 1e-9)
        #expect(!(moment < moment))
        #expect(!(moment < moment + -1e-9))
    }

    @Test("two moments may be as far apart as the clock allows")
    func extremes() {
        let (first, last) = (MonotonicTime(nanoseconds: .min), MonotonicTime(nanoseconds: .max))
        #expect(abs((last - first) - 18_446_744_073.709_551) < 0.001)
        #expect(abs((first - last) + 18_446_744_073.709_551) < 0.001)
    }

    @Test("the current moment is that of the kernel's monotonic clock")
    func now() {
        var (before, after) = (timespec(), timespec())
        unsafe clock_gettime(CLOCK_MONOTONIC, &before)
        let now = MonotonicTime.now().nanoseconds
        unsafe clock_gettime(CLOCK_MONOTONIC, &after)
        #expect(now >= Int64(before.tv_sec) * 1_000_000_000 + Int64(before.tv_nsec))
        #expect(now <= Int64(after.tv_sec) * 1_000_000_000 + Int64(after.tv_nsec))
    }

    @Test("the timeout until a moment is rounded up to milliseconds, and 0 if it is past")
    func pollTimeout() {
        let now = MonotonicTime.now()
        #expect((now + -0.001).pollTimeout == 0)
        #expect(MonotonicTime.now().pollTimeout == 0)
        // However long the machine takes to get here, the moment has not come before the wait is over.
        let hour = (now + 3600).pollTimeout
        #expect(hour <= 3_600_000)
        #expect(MonotonicTime.now() + Double(hour) / 1000 >= now + 3600)
        #expect(hour > 3_000_000)
        #expect(MonotonicTime(nanoseconds: .max).pollTimeout == .max)
    }
}
