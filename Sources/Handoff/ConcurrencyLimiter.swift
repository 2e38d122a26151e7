import Synchronization

/// A limiter of the number of operations of one kind that are under way at a time.
package final class ConcurrencyLimiter: Sendable {
    private let capacity: Int
    private let count = Mutex(0)

    /// - Parameter capacity: The greatest number of operations at a time.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Begins an operation, which ends when the token is released; returns nil if too many are under way.
    package func begin() -> InterestToken? {
        let hasBegun = count.withLock { count in
            guard count < capacity else { return false }
            count += 1
            return true
        }
        guard hasBegun else { return nil }
        return InterestToken { [self] in count.withLock { $0 -= 1 } }
    }
}
