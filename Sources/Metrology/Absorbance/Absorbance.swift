package import Color
import Glibc

/// The light of a region, averaged over several readings.
package struct LightMeasurement: Codable, Equatable, Sendable {
    /// The mean, 0...1.
    package var light: LinearRGB
    /// The standard errors of the mean.
    package var standardError: ChannelFigures
    /// The degrees of freedom of the standard errors.
    package var degreesOfFreedom: Double
    /// The share of the pixels that are at the upper end of each channel, 0...1.
    package var clippedHigh: ChannelFigures

    package init(
        light: LinearRGB, standardError: ChannelFigures, degreesOfFreedom: Double, clippedHigh: ChannelFigures = .zero
    ) {
        (self.light, self.standardError) = (light, standardError)
        (self.degreesOfFreedom, self.clippedHigh) = (degreesOfFreedom, clippedHigh)
    }
}

/// The absorbance of a sample, A = −log₁₀((I − D) / (I₀ − D)) of each channel in linear light, where I₀ is the blank
/// and D the dark.
///
/// A channel of a camera passes a band of wavelengths, so its absorbance is not that of a spectrophotometer.
package struct Absorbance: Equatable, Sendable {
    /// The absorbance of a channel.
    package struct Figure: Equatable, Sendable {
        package var value: Double
        package var standardError: Double
        /// The degrees of freedom of the standard error.
        package var degreesOfFreedom: Double

        package init(value: Double, standardError: Double, degreesOfFreedom: Double = .infinity) {
            (self.value, self.standardError, self.degreesOfFreedom) = (value, standardError, degreesOfFreedom)
        }
    }

    /// The share of clipped pixels from which a blank is refused.
    package static let maxClipped = 0.001

    /// The absorbance of each channel; nil where there is none, for one of the ``refusals``.
    package let channels: Channels<Figure?, ChannelMeaning.Figure>
    /// Sentences that say why channels have no absorbance.
    package let refusals: [String]

    package init(channels: Channels<Figure?, ChannelMeaning.Figure>) { (self.channels, refusals) = (channels, []) }

    /// Creates an absorbance that no channel has, for a reason.
    package init(refusal: String) { (channels, refusals) = (Channels(all: nil), [refusal]) }

    /// - Parameter dark: The light that the camera reports in the dark; nil if it reports none.
    package init(of sample: LightMeasurement, blank: LightMeasurement, dark: LightMeasurement?) {
        var reasons: [String] = []
        func figure(
            _ name: String, _ channel: KeyPath<LinearRGB, Double>, _ part: KeyPath<ChannelFigures, Double>
        ) -> Figure? {
            do throws(MeasurementRefusal) {
                return try Self.figure(name, sample[channel, part], blank[channel, part], dark?[channel, part])
            } catch {
                reasons.append(error.message)
                return nil
            }
        }
        channels = Channels(
            r: figure("red", \.r, \.r), g: figure("green", \.g, \.g), b: figure("blue", \.b, \.b))
        refusals = reasons
    }

    package var isDefined: Bool { channels.values.contains { $0 != nil } }

    /// Whether its figures can be used in a curve.
    var isValid: Bool {
        channels.values.allSatisfy { figure in
            figure.map { -10...10 ~= $0.value && 0...10 ~= $0.standardError } ?? true
        }
    }

    private static func figure(
        _ name: String, _ sample: ChannelLight, _ blank: ChannelLight, _ dark: ChannelLight?
    ) throws(MeasurementRefusal) -> Figure {
        let offset = dark?.value ?? 0
        let (through, whole) = (sample.value - offset, blank.value - offset)
        guard through.isFinite, whole.isFinite else { throw MeasurementRefusal("A measurement of \(name) is missing.") }
        guard blank.clipped <= maxClipped else {
            throw MeasurementRefusal(
                "\(blank.clipped.percent) of the blank's pixels are at the top of \(name):"
                    + " lower the exposure and measure the blank again.")
        }
        guard whole > 0 else { throw MeasurementRefusal("The blank is no brighter than the dark in \(name).") }
        guard through > 0 else {
            throw MeasurementRefusal(
                "The sample is no brighter than the dark in \(name): dilute it, or use another channel.")
        }
        // The derivatives of A, times ln 10 (JCGM 100:2008, 5.1.2). The dark is in both differences.
        let terms = [
            (sample.error / through, sample.degreesOfFreedom), (blank.error / whole, blank.degreesOfFreedom),
            ((dark?.error ?? 0) * (1 / through - 1 / whole), dark?.degreesOfFreedom ?? .infinity),
        ]
        let variance = terms.reduce(0) { $0 + $1.0 * $1.0 }
        // The formula of Welch and Satterthwaite (JCGM 100:2008, G.4.1).
        let quarters = terms.reduce(0) { $0 + $1.0 * $1.0 * $1.0 * $1.0 / $1.1 }
        return Figure(
            value: log10(whole / through), standardError: variance.squareRoot() / log(10),
            degreesOfFreedom: quarters > 0 ? variance * variance / quarters : .infinity)
    }
}

/// An object with the value of each channel, and `standardError` with that of each.
extension Absorbance: Codable {
    private typealias Figures = Channels<Double?, ChannelMeaning.Figure>
    private enum CodingKeys: CodingKey { case standardError }

    package func encode(to encoder: any Encoder) throws {
        try (channels.map { $0?.value } as Figures).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(channels.map { $0?.standardError } as Figures, forKey: .standardError)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let errors = try container.decode(Figures.self, forKey: .standardError)
        self.init(
            channels: try Figures(from: decoder).combined(with: errors) { value, error in
                guard let value, let error else { return nil }
                return Figure(value: value, standardError: error)
            })
    }
}

/// The light of one channel.
private struct ChannelLight {
    var value: Double
    var error: Double
    var degreesOfFreedom: Double
    var clipped: Double
}

extension LightMeasurement {
    fileprivate subscript(channel: KeyPath<LinearRGB, Double>, part: KeyPath<ChannelFigures, Double>) -> ChannelLight {
        ChannelLight(
            value: light[keyPath: channel], error: standardError[keyPath: part], degreesOfFreedom: degreesOfFreedom,
            clipped: clippedHigh[keyPath: part])
    }
}
