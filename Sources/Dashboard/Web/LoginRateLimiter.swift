import Configuration
import Handoff

/// How many wrong tokens each network may show: ten at once, and one more every six seconds.
///
/// Guessing a token of 32 letters is hopeless at any rate. The limit keeps whoever tries from filling the log, and tells
/// them to stop; a right token is never refused because of it, or a neighbour could lock the owner out.
struct LoginRateLimiter {
    typealias Instant = ContinuousClock.Instant

    static let burst = 10.0
    static let refill = Duration.seconds(6)
    /// Networks that are remembered.
    static let mostNetworks = 1024

    private var buckets: [IPNetwork: TokenBucket] = [:]

    /// Counts a wrong token.
    /// - Returns: Whether it was within the limit.
    mutating func allowsGuess(from network: IPNetwork, at now: Instant) -> Bool {
        if buckets[network] == nil, buckets.count >= Self.mostNetworks { makeRoom(at: now) }
        return buckets[network, default: TokenBucket(capacity: Self.burst, period: Self.refill, at: now)].take(at: now)
    }

    private mutating func makeRoom(at now: Instant) {
        buckets = buckets.filter { $0.value.level(at: now) < Self.burst }
        guard buckets.count >= Self.mostNetworks else { return }
        // Whoever guessed longest ago has the most left.
        if let oldest = buckets.min(by: { $0.value.time < $1.value.time }) { buckets[oldest.key] = nil }
    }
}
