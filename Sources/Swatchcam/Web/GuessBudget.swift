/// How many wrong tokens may come from one place: ten at once, and one more every six seconds.
struct GuessBudget {
    typealias Instant = SuspendingClock.Instant

    static let most = 10.0
    static let refill = Duration.seconds(6)
    /// Places that are remembered.
    static let mostPlaces = 1024

    private struct Purse {
        var left: Double
        var at: Instant
    }

    private var purses: [String: Purse] = [:]

    /// Whether another guess is listened to.
    func allowsGuess(from place: String, at now: Instant) -> Bool { left(place, at: now) >= 1 }

    /// A guess was wrong.
    mutating func spend(from place: String, at now: Instant) {
        let left = left(place, at: now)
        if purses[place] == nil, purses.count >= Self.mostPlaces { makeRoom(at: now) }
        purses[place] = Purse(left: max(0, left - 1), at: now)
    }

    private func left(_ place: String, at now: Instant) -> Double {
        guard let purse = purses[place] else { return Self.most }
        return min(Self.most, purse.left + purse.at.duration(to: now) / Self.refill)
    }

    private mutating func makeRoom(at now: Instant) {
        purses = purses.filter { left($0.key, at: now) < Self.most }
        guard purses.count >= Self.mostPlaces else { return }
        // Who guessed longest ago has most of it back.
        if let oldest = purses.min(by: { $0.value.at < $1.value.at }) { purses[oldest.key] = nil }
    }
}
