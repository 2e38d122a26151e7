import Handoff
import Synchronization

/// A limiter of the number of large downloads at a time, and with it of the memory that slow clients hold.
final class DownloadLimiter: Sendable {
    private let capacity: Int
    private let count = Mutex(0)

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Begins a download, which ends when the token is released; returns nil if there are too many.
    func begin() -> InterestToken? {
        let hasBegun = count.withLock { count in
            guard count < capacity else { return false }
            count += 1
            return true
        }
        guard hasBegun else { return nil }
        return InterestToken { [self] in count.withLock { $0 -= 1 } }
    }
}
