package import FoundationEssentials

/// The clocks of the program. Tests replace them with clocks that they move themselves.
package struct Clocks: Sendable {
    /// Returns the time of day.
    package var date: @Sendable () -> Date = { Date() }
    /// Returns the time on the monotonic clock, with which durations, rates and ages are measured.
    package var now: @Sendable () -> MonotonicTime = MonotonicTime.now
    /// Suspends the task for a duration.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Blocks the thread like ``Waker/wait(until:)``, and returns whether the waker was triggered.
    package var wait: @Sendable (Waker, _ deadline: MonotonicTime) -> Bool = { $0.wait(until: $1) }

    package init() {}
}
