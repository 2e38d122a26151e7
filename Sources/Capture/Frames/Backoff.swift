/// How long to wait before a camera that failed is tried again: longer after each failure in a row, up to 2 s.
struct Backoff {
    private static let waits = [0.25, 0.5, 1, 2]

    private var failures = 0

    /// Whether the last attempt succeeded, or none was made.
    var isFresh: Bool { failures == 0 }

    /// Counts a failure.
    /// - Returns: How long to wait for the next attempt, in seconds.
    mutating func next() -> Double {
        defer { failures += 1 }
        return Self.waits[min(failures, Self.waits.count - 1)]
    }

    mutating func reset() { failures = 0 }
}
