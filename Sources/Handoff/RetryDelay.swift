/// The wait before the next attempt to connect: 1 s at first, and later a fifteenth of the time for which attempts
/// have failed, up to a minute. It is longer by chance, by up to a half, so that the clients of a server do not all come
/// back at the same time.
package struct RetryDelay: Sendable {
    private static let range = 1.0...60
    private static let share = 1.0 / 15

    private var since: MonotonicTime?

    package init() {}

    /// - Parameter chance: A random number in 0...1.
    /// - Returns: The wait in seconds.
    package mutating func next(at now: MonotonicTime, chance: Double = .random(in: 0...1)) -> Double {
        let start = since ?? now
        since = start
        let wait = max(Self.range.lowerBound, (now - start) * Self.share) * (1 + chance / 2)
        return min(wait, Self.range.upperBound)
    }

    /// Begins again, after a success.
    package mutating func reset() { since = nil }
}
