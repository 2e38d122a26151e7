import Synchronization
import V4L2

@testable import Handoff

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    private let time = Mutex(MonotonicTime(nanoseconds: 1_000_000_000_000))

    /// What time it is.
    var now: MonotonicTime { time.withLock(\.self) }

    /// Moves the clock to a moment, never back.
    func advance(to moment: MonotonicTime) { time.withLock { $0 = max($0, moment) } }

    /// Moves the clock by some seconds.
    func advance(by seconds: Double) { time.withLock { $0 = $0 + seconds } }
}
