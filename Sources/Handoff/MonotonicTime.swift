import Glibc

/// A moment on CLOCK_MONOTONIC, the clock of poll(2)'s time-outs, and of the timestamps of V4L2 drivers that set
/// `V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC`.
///
/// It does not jump when the wall clock is set, and does not advance while the machine sleeps.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// The nanoseconds since an arbitrary start, usually the boot of the machine.
    public var nanoseconds: Int64

    /// Creates a moment from the given value, unchecked.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Returns the current time.
    public static func now() -> MonotonicTime {
        var time = timespec()
        // This cannot fail: Linux always has this clock, and the pointer is valid.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns whether the first moment is earlier than the second.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the moment that is some seconds later, or earlier if they are negative. Its nanoseconds must fit into 64
    /// bits.
    public static func + (time: Self, seconds: Double) -> Self {
        MonotonicTime(nanoseconds: time.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// Returns the seconds from one moment to another, however far apart they are: a driver may stamp a frame with any
    /// time.
    public static func - (end: Self, start: Self) -> Double {
        let (difference, overflow) = end.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        return (overflow ? Double(end.nanoseconds) - Double(start.nanoseconds) : Double(difference)) / 1e9
    }

    /// The milliseconds from now until this moment, for poll(2); 0 if it has passed. They are rounded up, so that the
    /// wait never ends early.
    package var pollTimeout: Int32 {
        Int32(clamping: (max(nanoseconds - MonotonicTime.now().nanoseconds, 0) + 999_999) / 1_000_000)
    }
}
