import Configuration
import Handoff
import Synchronization

/// A limiter of how often the clients of each network may do something, and all clients together.
///
/// Networks that do it again and again can use up only half of what belongs to all. The rest is for those that have at
/// least half of their own burst left, so that a few busy networks cannot lock out the others.
final class NetworkRateLimiter: Sendable {
    /// A number of times at once, and once more in each period.
    struct Rate {
        let burst: Double
        let period: Duration
    }

    /// The reason why something is not allowed, with the time until it is.
    enum Refusal: Equatable {
        /// The network has used up its own rate.
        case network(Duration)
        /// All networks together have used up their rate.
        case all(Duration)
    }

    private struct State {
        /// Clients without an address, such as those that have just disconnected, share one bucket.
        var networks: [IPNetwork?: TokenBucket] = [:]
        var all: TokenBucket?
    }

    /// The maximum number of networks that are remembered.
    static let maxNetworks = 1024

    private let each: Rate
    private let clocks: Clocks
    private let state: Mutex<State>

    /// - Parameters:
    ///   - each: The rate of each network.
    ///   - all: The rate of all networks together; nil if it is not limited.
    init(each: Rate, all: Rate? = nil, clocks: Clocks = Clocks()) {
        self.each = each
        self.clocks = clocks
        state = Mutex(State(all: all.map { TokenBucket(capacity: $0.burst, period: $0.period, at: clocks.now()) }))
    }

    /// Counts an attempt.
    /// - Returns: The reason to refuse it; nil if it is within the limits.
    func refusal(from network: IPNetwork?) -> Refusal? {
        let now = clocks.now()
        return state.withLock { state in
            if state.networks[network] == nil, state.networks.count >= Self.maxNetworks { makeRoom(&state, at: now) }
            var bucket =
                state.networks[network] ?? TokenBucket(capacity: each.burst, period: each.period, at: now)
            let isQuiet = bucket.level(at: now) >= each.burst / 2
            let wait = bucket.wait(at: now)
            let isAllowed = bucket.take(at: now)
            state.networks[network] = bucket
            guard isAllowed else { return .network(wait) }
            guard let all = state.all else { return nil }
            let waitOfAll = all.wait(at: now, reserve: isQuiet ? 0 : all.capacity / 2)
            guard waitOfAll == .zero else { return .all(waitOfAll) }
            _ = state.all?.take(at: now)
            return nil
        }
    }

    private func makeRoom(_ state: inout State, at now: MonotonicTime) {
        state.networks = state.networks.filter { $0.value.level(at: now) < each.burst }
        guard state.networks.count >= Self.maxNetworks else { return }
        // The network that has been quiet for the longest time is forgotten.
        if let oldest = state.networks.min(by: { $0.value.time < $1.value.time }) {
            state.networks[oldest.key] = nil
        }
    }
}
