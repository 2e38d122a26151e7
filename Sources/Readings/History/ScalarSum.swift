/// The sum of a figure over the readings that have it. A figure that a reading lacks does not count as 0.
struct ScalarSum: Equatable, Sendable {
    private var total = 0.0
    private var count = 0

    /// - Parameters:
    ///   - mean: The mean of the figure over some readings; nil if they do not have it.
    ///   - count: The number of those readings.
    init(_ mean: Double?, of count: Int) {
        guard let mean else { return }
        (total, self.count) = (mean * Double(count), count)
    }

    /// The mean over the readings that have the figure; nil if none has.
    var mean: Double? { count > 0 ? total / Double(count) : nil }

    mutating func add(_ other: Self) {
        total += other.total
        count += other.count
    }
}
