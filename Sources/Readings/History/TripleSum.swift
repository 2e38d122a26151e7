/// The sum of three figures over the readings that have them, which have all three or none.
struct TripleSum: Equatable, Sendable {
    private var first = 0.0
    private var second = 0.0
    private var third = 0.0
    private var count = 0

    /// - Parameters:
    ///   - mean: The means of the figures over some readings; nil if they do not have them.
    ///   - count: The number of those readings.
    init(_ mean: (Double, Double, Double)?, of count: Int) {
        guard let mean else { return }
        let weight = Double(count)
        (first, second, third, self.count) = (mean.0 * weight, mean.1 * weight, mean.2 * weight, count)
    }

    /// The means over the readings that have the figures; nil if none has.
    var mean: (Double, Double, Double)? {
        guard count > 0 else { return nil }
        let weight = Double(count)
        return (first / weight, second / weight, third / weight)
    }

    mutating func add(_ other: Self) {
        first += other.first
        second += other.second
        third += other.third
        count += other.count
    }
}
