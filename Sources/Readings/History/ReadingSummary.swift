package import Color
package import FoundationEssentials
package import Metrology
import Pixels

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
    /// `testPattern` if one of the readings is of the test pattern, otherwise `live`.
    package private(set) var state: Reading.State
    private var sum: RGB
    private var least: Extremes
    private var greatest: Extremes
    private var lightnessSum: Double
    private var minLightness: Float
    private var maxLightness: Float
    /// The linear light, 0...1.
    package internal(set) var linear = PartialSum<LinearRGB>()
    /// The square of the noise in ΔE00.
    var squaredNoise = PartialSum<Double>()
    package internal(set) var shares = PartialSum<Shares>()
    /// The worst grade of a reading; nil if none has a grade.
    package internal(set) var grade: Quality.Grade?
    /// The reasons for doubt in any of the readings.
    package internal(set) var flags = FlagCodes()
    /// The worst verdict of a reading, and the target that it is about.
    var verdict = TargetVerdict()
    /// At most one, and in an array, because most readings lack these figures and many summaries are kept.
    private var rareFigures: [RareFigures] = []
    /// The values on scales.
    private(set) var scales: [ScaleSum] = []
    /// The colours of the probes. The stores of the history keep them apart.
    package internal(set) var probes = ProbeSums()

    /// The summary of readings of which no more is known.
    init(time: Date, count: Int, state: Reading.State, mean: RGB, lightness: Double) {
        (self.time, self.count, self.state) = (time, count, state)
        sum = mean * Double(count)
        least = mean.map { Float($0) }
        greatest = least
        lightnessSum = lightness * Double(count)
        minLightness = Float(lightness)
        maxLightness = minLightness
    }

    /// The summary of a single reading; nil if the reading has no colour.
    package init?(_ reading: Reading) {
        guard reading.state.hasColor, let mean = reading.mean else { return nil }
        self.init(
            time: reading.time, count: 1, state: reading.state, mean: mean, lightness: CIELab(mean).lightness)
        linear = PartialSum(reading.linear)
        squaredNoise = PartialSum(reading.stability.noise.map { $0.deltaE * $0.deltaE })
        shares = PartialSum(reading.statistics.map(Shares.init))
        grade = reading.quality?.grade
        flags = FlagCodes((reading.quality?.flags ?? []).map(\.code))
        verdict = TargetVerdict(reading)
        setConcentration(reading.concentration)
        setCalibrated(reading.calibrated?.linear)
        scales = reading.scales.compactMap(ScaleSum.init)
        probes = ProbeSums(reading.probeColors)
    }

    /// Adds the readings of another summary. The time does not change.
    package mutating func add(_ other: Self) {
        count += other.count
        if other.state == .testPattern { state = .testPattern }
        sum = sum + other.sum
        lightnessSum += other.lightnessSum
        extend(to: other.least, other.greatest)
        extendLightness(to: other.minLightness, other.maxLightness)
        linear.add(other.linear)
        squaredNoise.add(other.squaredNoise)
        shares.add(other.shares)
        grade = [grade, other.grade].compactMap(\.self).max()
        flags.formUnion(other.flags)
        if other.verdict.severity >= verdict.severity { verdict = other.verdict }
        if let rare = other.rareFigures.first { changeRareFigures { $0.add(rare) } }
        if !other.scales.isEmpty { scales.add(other.scales) }
        if !other.probes.isEmpty { probes.add(other.probes) }
    }
}

extension ReadingSummary {
    /// The mean of a figure, and the range of the readings' values.
    package struct MeanAndRange<Value: Equatable & Sendable>: Equatable, Sendable {
        package var mean: Value
        package var minimum: Value
        package var maximum: Value
    }

    /// R'G'B' of 0...255. The minimum and the maximum are those of each channel.
    package var color: MeanAndRange<RGB> {
        .init(mean: sum / Double(count), minimum: least.map { Double($0) }, maximum: greatest.map { Double($0) })
    }

    /// L* of CIELAB, D50, 0...100. The mean of several readings may differ from the lightness of the mean colour.
    package var lightness: MeanAndRange<Double> {
        .init(mean: lightnessSum / Double(count), minimum: Double(minLightness), maximum: Double(maxLightness))
    }

    /// The noise in ΔE00, of several readings the root of its mean square; nil if no reading has it.
    package var noise: Double? { squaredNoise.mean?.squareRoot() }

    /// The mean concentration, with the flags of any; nil if no reading has one.
    var concentration: Concentration? { rareFigures.first?.concentration?.mean }

    /// Sets the mean concentration of the readings.
    mutating func setConcentration(_ mean: Concentration?) {
        let sums = mean.map { ConcentrationSums($0, of: count) }
        if sums != nil { changeRareFigures { $0.concentration = sums } }
    }

    /// Sets the mean values on scales, as a cell of a table has them.
    mutating func setScales(_ cell: String) {
        scales = NamedValue.values(in: cell).prefix(ScaleSum.maxCount).map { .init($0.name, mean: $0.value, of: count) }
    }

    /// The mean linear light by the calibration of the camera, of the readings that have it; nil if none has.
    var calibrated: LinearRGB? { rareFigures.first?.calibrated.mean }

    /// Sets the mean calibrated light of the readings.
    mutating func setCalibrated(_ mean: LinearRGB?) {
        let sum = PartialSum(mean, of: count)
        if mean != nil { changeRareFigures { $0.calibrated = sum } }
    }

    private mutating func changeRareFigures(_ change: (inout RareFigures) -> Void) {
        if rareFigures.isEmpty { rareFigures.append(RareFigures()) }
        change(&rareFigures[0])
    }

    /// Extends the range of each channel to include these values.
    mutating func extendColor(to value: RGB) {
        let value = value.map { Float($0) }
        extend(to: value, value)
    }

    private mutating func extend(to low: Extremes, _ high: Extremes) {
        least = least.combined(with: low, by: min)
        greatest = greatest.combined(with: high, by: max)
    }

    /// Extends the range of L* to include these values.
    mutating func extendLightness(to low: Float, _ high: Float) {
        minLightness = min(minLightness, low)
        maxLightness = max(maxLightness, high)
    }

    /// Shares of the pixels, 0...1.
    package struct Shares: Equatable, Sendable {
        /// The share of pixels at the bottom of the channel that is clipped most there.
        package var clippedLow: Double
        /// The share of pixels at the top of the channel that is clipped most there.
        package var clippedHigh: Double
        /// The share of pixels that are more saturated than sRGB can hold.
        package var outOfGamut: Double
    }
}

/// The sums of figures that most readings lack.
private struct RareFigures: Equatable, Sendable {
    var concentration: ConcentrationSums?
    var calibrated = PartialSum<LinearRGB>()

    mutating func add(_ other: Self) {
        concentration = ConcentrationSums.sum(concentration, other.concentration)
        calibrated.add(other.calibrated)
    }
}

/// The sum of a figure over the readings that have it. A figure that a reading lacks does not count as 0.
package struct PartialSum<Figure: Averageable & Equatable & Sendable>: Equatable, Sendable {
    private var total = Figure.zero
    private var count = 0

    /// - Parameters:
    ///   - mean: The mean of the figure over some readings; nil if they do not have it.
    ///   - count: The number of those readings.
    init(_ mean: Figure? = nil, of count: Int = 1) {
        guard let mean else { return }
        (total, self.count) = (mean * Double(count), count)
    }

    /// The mean over the readings that have the figure; nil if none has.
    package var mean: Figure? { count > 0 ? total / Double(count) : nil }

    mutating func add(_ other: Self) {
        total = total + other.total
        count += other.count
    }
}

extension ReadingSummary.Shares {
    fileprivate init(_ statistics: RegionStatistics) {
        let (low, high) = (statistics.clippedLow, statistics.clippedHigh)
        self.init(
            clippedLow: max(low.r, low.g, low.b), clippedHigh: max(high.r, high.g, high.b),
            outOfGamut: statistics.outOfGamut)
    }
}

extension ReadingSummary.Shares: Averageable {
    package static let zero = Self(clippedLow: 0, clippedHigh: 0, outOfGamut: 0)

    package static func + (left: Self, right: Self) -> Self {
        Self(
            clippedLow: left.clippedLow + right.clippedLow, clippedHigh: left.clippedHigh + right.clippedHigh,
            outOfGamut: left.outOfGamut + right.outOfGamut)
    }

    package static func * (shares: Self, factor: Double) -> Self {
        Self(
            clippedLow: shares.clippedLow * factor, clippedHigh: shares.clippedHigh * factor,
            outOfGamut: shares.outOfGamut * factor)
    }

    package static func / (shares: Self, divisor: Double) -> Self {
        Self(
            clippedLow: shares.clippedLow / divisor, clippedHigh: shares.clippedHigh / divisor,
            outOfGamut: shares.outOfGamut / divisor)
    }
}

/// The verdict on the target that a colour is taken for, or else on the nearest.
package struct TargetVerdict: Equatable, Sendable {
    /// The name of the target; nil if there is none.
    package var target: String?
    package var outcome: Verdict.Outcome?

    package init(target: String? = nil, outcome: Verdict.Outcome? = nil) {
        (self.target, self.outcome) = (target, outcome)
    }

    init(_ reading: Reading) {
        let nearest = reading.judgement.nearest
        (target, outcome) = (nearest?.name, nearest?.verdict)
    }

    /// A worse verdict has a greater one, and that of a reading without a verdict is the least.
    fileprivate var severity: Int {
        switch outcome {
        case nil: 0
        case .pass: 1
        case .close: 2
        case .fail: 3
        }
    }
}

/// A set of reasons for doubt, in two bytes.
package struct FlagCodes: Equatable, Sendable {
    private static let all = Quality.Flag.Code.allCases

    private var bits: UInt16 = 0

    package init(_ codes: some Sequence<Quality.Flag.Code> = []) {
        for (index, code) in Self.all.enumerated() where codes.contains(code) { bits |= 1 << index }
    }

    /// The reasons, in the order in which `Quality.Flag.Code` lists them.
    package var codes: [Quality.Flag.Code] {
        Self.all.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
    }

    private static let distorting = FlagCodes(all.filter(\.distortsColor))

    /// Whether one of them has changed the balance of the channels.
    var isColorDistorted: Bool { bits & Self.distorting.bits != 0 }

    /// Adds the reasons of another set.
    package mutating func formUnion(_ other: Self) { bits |= other.bits }
}
