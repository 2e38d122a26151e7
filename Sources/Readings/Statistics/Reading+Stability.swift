package import Color

extension Reading {
    /// The repeatability of readings (VIM 2.21): the standard deviation of the last 8 to 32 readings within a minute
    /// about the straight line through them, so that a drift is not taken for noise.
    package struct Noise: Equatable, Sendable {
        /// The noise of each channel of `mean`, on the scale of 0...255.
        package var channels: ChannelFigures
        /// The noise of the colour: √(Σ ΔE00² / (n - 2)), where ΔE00 is the difference of a reading from the straight
        /// line through all n (JCGM 100:2008, H.3.2).
        package var deltaE: Double
    }

    /// The steady change of the colour: a straight line through the readings, by least squares.
    package struct Drift: Equatable, Sendable {
        /// The change in ΔE00 a minute. It is never negative, because a difference of colours has no sign.
        package var deltaEPerMinute: Double
        /// The standard error of the change, in ΔE00 a minute.
        package var standardError: Double
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
    }

    /// How steady the newest readings are.
    package struct Steadiness: Equatable, Sendable {
        /// The greatest ΔE00 of one of the last 8 readings from their mean.
        package var spread: Double
        /// The change in ΔE00 along the straight line through the last 8 to 32 readings; 0 if it cannot be told from
        /// noise.
        package var trend: Double
        /// ``trend`` in ΔE00 a minute.
        package var trendPerMinute: Double
        /// The noise from one reading to the next in ΔE00, about the straight line. It is far less than ``Noise/deltaE``
        /// if the colour changes slowly or in a step.
        package var scatter: Double

        /// The greatest spread of settled readings, the repeatability of colorimetry with smartphones (PMC12528221).
        package static let maxSpread = 0.5
        /// The greatest trend of settled readings. A smaller one may be certain, and yet does not matter.
        package static let maxTrend = 0.1

        /// Whether the colour is changing, beyond what noise explains.
        var isChanging: Bool { trend > Self.maxTrend }

        /// Whether the colour has settled.
        package var isSettled: Bool { spread <= Self.maxSpread && !isChanging }
    }
}
