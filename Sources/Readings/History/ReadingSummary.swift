import Color
package import FoundationEssentials

/// One reading with a colour, or several combined: means, minima and maxima.
///
/// It holds sums, not means, so that a summary of summaries equals that of all their readings.
package struct ReadingSummary: Equatable, Sendable {
    /// Single precision is enough for the decimals that are written.
    private typealias Extremes = Reading.Channels<Float>

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
    private var linearSum: TripleSum
    private var squaredNoise: ScalarSum
    private var shareSum: TripleSum
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
        sum = RGB(r: color.mean.r * weight, g: color.mean.g * weight, b: color.mean.b * weight)
        least = Extremes(color.minimum)
        greatest = Extremes(color.maximum)
        lightnessSum = lightness.mean * weight
        leastLightness = Float(lightness.minimum)
        greatestLightness = Float(lightness.maximum)
        linearSum = TripleSum(figures.linear.map { ($0.r, $0.g, $0.b) }, of: count)
        squaredNoise = ScalarSum(figures.noise.map { $0 * $0 }, of: count)
        shareSum = TripleSum(figures.shares.map { ($0.clippedLow, $0.clippedHigh, $0.outOfGamut) }, of: count)
        state = figures.state
        grade = figures.grade
        flags = figures.flags
    }

    /// Adds the readings of another summary. The time stays.
    package mutating func add(_ other: Self) {
        count += other.count
        sum = RGB(r: sum.r + other.sum.r, g: sum.g + other.sum.g, b: sum.b + other.sum.b)
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
        let mean = RGB(r: sum.r / weight, g: sum.g / weight, b: sum.b / weight)
        return Figures(
            time: time, count: count, state: state,
            color: .init(mean: mean, minimum: RGB(least), maximum: RGB(greatest)),
            lightness: .init(
                mean: lightnessSum / weight, minimum: Double(leastLightness), maximum: Double(greatestLightness)),
            linear: linearSum.mean.map { LinearRGB(r: $0.0, g: $0.1, b: $0.2) },
            noise: squaredNoise.mean?.squareRoot(),
            shares: shareSum.mean.map { .init(clippedLow: $0.0, clippedHigh: $0.1, outOfGamut: $0.2) },
            grade: grade, flags: flags)
    }
}

extension Reading.Channels<Float> {
    fileprivate init(_ color: RGB) { self.init(r: Float(color.r), g: Float(color.g), b: Float(color.b)) }

    fileprivate func combined(with other: Self, by choose: (Float, Float) -> Float) -> Self {
        Self(r: choose(r, other.r), g: choose(g, other.g), b: choose(b, other.b))
    }
}

extension RGB {
    fileprivate init(_ channels: Reading.Channels<Float>) {
        self.init(r: Double(channels.r), g: Double(channels.g), b: Double(channels.b))
    }
}
