/// The clock by which a thread waits. Tests replace it with one that they advance themselves.
package struct ThreadClock: Sendable {
    /// The system's monotonic clock.
    package static let system = ThreadClock(now: MonotonicTime.now) { $0.wait(until: $1) }

    /// Returns the current time.
    package let now: @Sendable () -> MonotonicTime
    /// Waits like ``Waker/wait(until:)``, and returns whether the waker was triggered.
    package let wait: @Sendable (Waker, _ deadline: MonotonicTime) -> Bool

    package init(
        now: @escaping @Sendable () -> MonotonicTime,
        wait: @escaping @Sendable (Waker, _ deadline: MonotonicTime) -> Bool
    ) {
        self.now = now
        self.wait = wait
    }
}
