/// A limit on how often something may happen: up to `capacity` times in a burst, and once more in each `period`.
package struct TokenBucket: Sendable {
    package let capacity: Double
    /// The time in which one token is added.
    let period: Duration
    private(set) var level: Double
    /// The time at which `level` was computed.
    package private(set) var time: MonotonicTime

    package init(capacity: Double, period: Duration, at now: MonotonicTime) {
        (self.capacity, self.period, level, time) = (capacity, period, capacity, now)
    }

    /// Takes one token; returns false if none is left.
    package mutating func take(at now: MonotonicTime) -> Bool {
        level = level(at: now)
        time = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }

    /// Returns the time until there is a token beyond a reserve; zero if there is one now.
    package func wait(at now: MonotonicTime, reserve: Double = 0) -> Duration {
        max(.zero, period * (reserve + 1 - level(at: now)))
    }

    /// Returns the number of tokens at a time, which need not be whole: 0...capacity.
    package func level(at now: MonotonicTime) -> Double {
        min(capacity, level + (now - time) / (period / .seconds(1)))
    }
}
