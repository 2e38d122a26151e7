/// The wait before a camera that failed is tried again: it grows with each consecutive failure, up to 2 s.
struct Backoff {
    private static let waits = [0.25, 0.5, 1, 2]

    private var failures = 0

    /// Whether no attempt has failed since the last success.
    var isFresh: Bool { failures == 0 }

    /// Counts a failure.
    /// - Returns: The wait before the next attempt, in seconds.
    mutating func next() -> Double {
        defer { failures += 1 }
        return Self.waits[min(failures, Self.waits.count - 1)]
    }

    /// Starts over after a success.
    mutating func reset() { failures = 0 }
}
