package import Color

extension Reading {
    /// The repeatability of readings (VIM 2.21): the sample standard deviation of the last 8 to 32 readings within a
    /// minute.
    package struct Noise: Equatable, Sendable {
        /// The noise of each channel of `mean`, on the scale of 0...255.
        package var channels: ChannelFigures
        /// The noise of the colour: √(Σ ΔE00² / (n - 1)), where ΔE00 is the difference of a reading from the mean of
        /// all n.
        package var deltaE: Double

        package init(channels: ChannelFigures, deltaE: Double) {
            self.channels = channels
            self.deltaE = deltaE
        }
    }

    /// The steady change of the colour: a straight line through the readings, by least squares.
    package struct Drift: Equatable, Sendable {
        /// The change in ΔE00 a minute. It has no sign, because colours have no order.
        package var deltaEPerMinute: Double
        /// The standard error of the change, in ΔE00 a minute.
        package var standardError: Double

        package init(deltaEPerMinute: Double, standardError: Double) {
            self.deltaEPerMinute = deltaEPerMinute
            self.standardError = standardError
        }
    }

    /// The statistics of the readings since the last disturbance.
    package struct Stability: Equatable, Sendable {
        /// The noise; nil until there are enough readings.
        package var noise: Noise?
        /// The steadiness; nil until there are enough readings.
        package var steadiness: Steadiness?
        /// The drift over the last minute.
        package var drift: Drift?
        /// The drift since the last disturbance, such as the lock of the controls.
        package var totalDrift: Drift?

        package init() {}
    }

    /// How steady the newest readings are.
    package struct Steadiness: Equatable, Sendable {
        /// The greatest ΔE00 of one of the last 8 readings from their mean.
        package var spread: Double
        /// The change in ΔE00 along the straight line through the last 8 to 32 readings; 0 if it cannot be told from
        /// noise.
        package var trend: Double

        package init(spread: Double, trend: Double) {
            self.spread = spread
            self.trend = trend
        }

        /// The greatest spread of settled readings, the repeatability of colorimetry with smartphones (PMC12528221).
        package static let maxSpread = 0.5
        /// The greatest trend of settled readings. A smaller one may be certain, and yet does not matter.
        package static let maxTrend = 0.1

        /// Whether the colour has settled.
        package var isSettled: Bool { spread <= Self.maxSpread && trend <= Self.maxTrend }
    }
}
