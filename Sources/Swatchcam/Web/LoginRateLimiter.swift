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

    private struct Budget {
        var left: Double
        var at: Instant
    }

    private var budgets: [IPNetwork: Budget] = [:]

    /// Counts a wrong token.
    /// - Returns: Whether it was within the limit.
    mutating func allowsGuess(from network: IPNetwork, at now: Instant) -> Bool {
        let left = left(network, at: now)
        guard left >= 1 else { return false }
        if budgets[network] == nil, budgets.count >= Self.mostNetworks { makeRoom(at: now) }
        budgets[network] = Budget(left: left - 1, at: now)
        return true
    }

    private func left(_ network: IPNetwork, at now: Instant) -> Double {
        guard let budget = budgets[network] else { return Self.burst }
        return min(Self.burst, budget.left + budget.at.duration(to: now) / Self.refill)
    }

    private mutating func makeRoom(at now: Instant) {
        budgets = budgets.filter { left($0.key, at: now) < Self.burst }
        guard budgets.count >= Self.mostNetworks else { return }
        // Whoever guessed longest ago has the most left.
        if let oldest = budgets.min(by: { $0.value.at < $1.value.at }) { budgets[oldest.key] = nil }
    }
}
