import Synchronization
import V4L2

@testable import Handoff

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private let time = Mutex(MonotonicTime(nanoseconds: 1_000_000_000_000))

    /// The clock's time.
    var now: MonotonicTime { time.withLock(\.self) }

    /// Moves the clock forward to a time. The clock never goes back.
    func advance(to moment: MonotonicTime) { time.withLock { $0 = max($0, moment) } }

    /// Moves the clock forward by a number of seconds.
    func advance(by seconds: Double) { time.withLock { $0 = $0 + seconds } }
}
