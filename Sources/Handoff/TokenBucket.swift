/// How often something may happen: so many times at once, and once more each period.
package struct TokenBucket: Sendable {
    package typealias Instant = ContinuousClock.Instant

    let capacity: Double
    let period: Duration
    private(set) var level: Double
    /// When the level was what it says.
    package private(set) var time: Instant

    package init(capacity: Double, period: Duration, at now: Instant) {
        (self.capacity, self.period, level, time) = (capacity, period, capacity, now)
    }

    /// Takes one, if there is one.
    package mutating func take(at now: Instant) -> Bool {
        level = level(at: now)
        time = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }

    package func level(at now: Instant) -> Double { min(capacity, level + time.duration(to: now) / period) }
}
