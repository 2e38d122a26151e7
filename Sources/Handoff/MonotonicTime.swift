import Glibc

/// A moment on CLOCK_MONOTONIC, the clock of V4L2's timestamps and of poll(2)'s time-outs.
///
/// It does not jump when the wall clock is set, and stands still while the machine sleeps.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Since an arbitrary start, usually the boot of the machine.
    public var nanoseconds: Int64

    /// A moment; the value is taken as it is.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// This moment.
    public static func now() -> MonotonicTime {
        var time = timespec()
        // Cannot fail: Linux always has this clock, and the pointer is valid.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The earlier of two moments is the smaller.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// A moment later by some seconds.
    public static func + (time: Self, seconds: Double) -> Self {
        MonotonicTime(nanoseconds: time.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// Seconds from one moment to another, be they as far apart as they can: a driver may stamp a frame with any time.
    public static func - (end: Self, start: Self) -> Double {
        let (difference, overflow) = end.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        return (overflow ? Double(end.nanoseconds) - Double(start.nanoseconds) : Double(difference)) / 1e9
    }

    /// Milliseconds from now until then for poll(2): rounded up, so that the moment has come when the wait is over;
    /// 0 if it is past.
    package var pollTimeout: Int32 {
        let left = nanoseconds - MonotonicTime.now().nanoseconds
        return Int32(clamping: left <= 0 ? 0 : (left + 999_999) / 1_000_000)
    }
}
