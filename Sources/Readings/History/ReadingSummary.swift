import Color
package import FoundationEssentials

/// One reading with a colour, or several combined: means, minima and maxima.
///
/// It holds sums, not means, so that a summary of summaries equals that of all their readings.
package struct ReadingSummary: Equatable, Sendable {
    /// Single precision is enough for the decimals that are written.
    private typealias Extremes = Channels<Float, ChannelMeaning.Encoded>

    /// The time of the reading; of several, the start of their interval.
    package var time: Date
    /// The number of readings.
    package private(set) var count: Int
    private var sum: RGB
    private var least: Extremes
    private var greatest: Extremes
    private var lightnessSum: Double
    private var leastLightness: Float
    private var greatestLightness: Float
    private var linearSum: PartialSum<LinearRGB>
    private var squaredNoise: PartialSum<Double>
    private var shareSum: PartialSum<Shares>
    /// `testPattern` if one of the readings is of the test pattern, otherwise `live`.
    package private(set) var state: Reading.State
    /// The worst grade of a reading; nil if none has a grade.
    package private(set) var grade: Quality.Grade?
    /// The reasons for doubt in any of the readings.
    package private(set) var flags: FlagCodes

    package init(_ figures: Figures) {
        let (color, lightness, weight) = (figures.color, figures.lightness, Double(figures.count))
        time = figures.time
        count = figures.count
        sum = color.mean * weight
        least = color.minimum.map { Float($0) }
        greatest = color.maximum.map { Float($0) }
        lightnessSum = lightness.mean * weight
        leastLightness = Float(lightness.minimum)
        greatestLightness = Float(lightness.maximum)
        linearSum = PartialSum(figures.linear, of: count)
        squaredNoise = PartialSum(figures.noise.map { $0 * $0 }, of: count)
        shareSum = PartialSum(figures.shares, of: count)
        state = figures.state
        grade = figures.grade
        flags = figures.flags
    }

    /// Adds the readings of another summary. The time stays.
    package mutating func add(_ other: Self) {
        count += other.count
        sum = sum + other.sum
        least = least.combined(with: other.least, by: min)
        greatest = greatest.combined(with: other.greatest, by: max)
        lightnessSum += other.lightnessSum
        leastLightness = min(leastLightness, other.leastLightness)
        greatestLightness = max(greatestLightness, other.greatestLightness)
        linearSum.add(other.linearSum)
        squaredNoise.add(other.squaredNoise)
        shareSum.add(other.shareSum)
        if other.state == .testPattern { state = .testPattern }
        grade = [grade, other.grade].compactMap(\.self).max()
        flags.formUnion(other.flags)
    }

    /// The figures of the readings.
    package var figures: Figures {
        let weight = Double(count)
        return Figures(
            time: time, count: count, state: state,
            color: .init(
                mean: sum / weight, minimum: least.map { Double($0) }, maximum: greatest.map { Double($0) }),
            lightness: .init(
                mean: lightnessSum / weight, minimum: Double(leastLightness), maximum: Double(greatestLightness)),
            linear: linearSum.mean, noise: squaredNoise.mean?.squareRoot(), shares: shareSum.mean, grade: grade,
            flags: flags)
    }
}

/// The sum of a figure over the readings that have it. A figure that a reading lacks does not count as 0.
private struct PartialSum<Figure: Averageable & Equatable & Sendable>: Equatable, Sendable {
    private var total = Figure.zero
    private var count = 0

    /// - Parameters:
    ///   - mean: The mean of the figure over some readings; nil if they do not have it.
    ///   - count: The number of those readings.
    init(_ mean: Figure?, of count: Int) {
        guard let mean else { return }
        (total, self.count) = (mean * Double(count), count)
    }

    /// The mean over the readings that have the figure; nil if none has.
    var mean: Figure? { count > 0 ? total / Double(count) : nil }

    mutating func add(_ other: Self) {
        total = total + other.total
        count += other.count
    }
}
