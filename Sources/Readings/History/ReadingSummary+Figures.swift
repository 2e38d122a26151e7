package import Color
package import FoundationEssentials
import Pixels

extension ReadingSummary {
    /// The mean of a figure, and the range of the readings' values.
    package struct MeanAndRange<Value: Equatable & Sendable>: Equatable, Sendable {
        package var mean: Value
        package var minimum: Value
        package var maximum: Value

        package init(mean: Value, minimum: Value, maximum: Value) {
            self.mean = mean
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// Shares of the pixels, 0...1.
    package struct Shares: Equatable, Sendable {
        /// The share of pixels at the bottom of the channel that is clipped most there.
        package var clippedLow: Double
        /// The share of pixels at the top of the channel that is clipped most there.
        package var clippedHigh: Double
        /// The share of pixels that are more saturated than sRGB can hold.
        package var outOfGamut: Double

        package init(clippedLow: Double, clippedHigh: Double, outOfGamut: Double) {
            self.clippedLow = clippedLow
            self.clippedHigh = clippedHigh
            self.outOfGamut = outOfGamut
        }
    }

    /// The figures of one reading, or of several combined.
    package struct Figures: Equatable, Sendable {
        /// The time of the reading; of several, the start of their interval.
        package var time: Date
        /// The number of readings, at least 1.
        package var count: Int
        /// `live`, or `testPattern` if one of the readings is of the test pattern.
        package var state: Reading.State
        /// R'G'B' of 0...255. The minimum and the maximum are those of each channel.
        package var color: MeanAndRange<RGB>
        /// L* of CIELAB, D50, 0...100. The mean of several readings may differ from the lightness of the mean colour.
        package var lightness: MeanAndRange<Double>
        /// The mean linear light, 0...1; nil if no reading has it.
        package var linear: LinearRGB?
        /// The noise in ΔE00, of several readings the root of its mean square; nil if no reading has it.
        package var noise: Double?
        /// The mean shares; nil if no reading has statistics.
        package var shares: Shares?
        /// The worst grade; nil if no reading has one.
        package var grade: Quality.Grade?
        /// The reasons for doubt in any of the readings.
        package var flags: FlagCodes
    }

    /// The summary of a single reading; nil if the reading has no colour.
    package init?(_ reading: Reading) {
        guard reading.state.hasColor, let mean = reading.mean else { return nil }
        let lightness = CIELab(mean).lightness
        let shares = reading.statistics.map { statistics in
            let (low, high) = (statistics.clippedLow, statistics.clippedHigh)
            return Shares(
                clippedLow: max(low.r, low.g, low.b), clippedHigh: max(high.r, high.g, high.b),
                outOfGamut: statistics.outOfGamut)
        }
        self.init(
            Figures(
                time: reading.time, count: 1, state: reading.state,
                color: .init(mean: mean, minimum: mean, maximum: mean),
                lightness: .init(mean: lightness, minimum: lightness, maximum: lightness), linear: reading.linear,
                noise: reading.stability.noise?.deltaE, shares: shares, grade: reading.quality?.grade,
                flags: FlagCodes((reading.quality?.flags ?? []).map(\.code))))
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
