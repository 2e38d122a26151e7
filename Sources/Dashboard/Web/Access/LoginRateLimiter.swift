import Configuration
import Handoff

/// A limit on the wrong tokens from each network: ten in a burst, and one more every six seconds.
///
/// Guessing a token of 32 characters is hopeless at any rate. The limit keeps attempts from filling the log, and its
/// error tells the client to stop. It never affects a correct token; otherwise another client in the network could lock
/// out the owner.
struct LoginRateLimiter {
    typealias Instant = ContinuousClock.Instant

    static let burst = 10.0
    static let refill = Duration.seconds(6)
    /// The maximum number of networks that are remembered.
    static let maxNetworks = 1024

    private var buckets: [IPNetwork: TokenBucket] = [:]

    /// Counts a wrong token.
    /// - Returns: Whether it is within the limit.
    mutating func allowsGuess(from network: IPNetwork, at now: Instant) -> Bool {
        if buckets[network] == nil, buckets.count >= Self.maxNetworks { makeRoom(at: now) }
        return buckets[network, default: TokenBucket(capacity: Self.burst, period: Self.refill, at: now)].take(at: now)
    }

    private mutating func makeRoom(at now: Instant) {
        buckets = buckets.filter { $0.value.level(at: now) < Self.burst }
        guard buckets.count >= Self.maxNetworks else { return }
        // The network that has made no guess for the longest time is forgotten.
        if let oldest = buckets.min(by: { $0.value.time < $1.value.time }) { buckets[oldest.key] = nil }
    }
}
