/// A limit on how often something may happen: a number of times at once, and once more in each period.
package struct TokenBucket: Sendable {
    package typealias Instant = ContinuousClock.Instant

    let capacity: Double
    let period: Duration
    private(set) var level: Double
    /// The time at which `level` was computed.
    package private(set) var time: Instant

    package init(capacity: Double, period: Duration, at now: Instant) {
        (self.capacity, self.period, level, time) = (capacity, period, capacity, now)
    }

    /// Takes one token; returns false if none is left.
    package mutating func take(at now: Instant) -> Bool {
        level = level(at: now)
        time = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }

    package func level(at now: Instant) -> Double { min(capacity, level + time.duration(to: now) / period) }
}
