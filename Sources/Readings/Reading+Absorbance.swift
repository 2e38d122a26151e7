import Color
package import Documents
package import Metrology
import Pixels

extension Reading {
    /// What the absorbances of a reading are computed from.
    package struct AbsorbanceBasis: Equatable, Sendable {
        package let setup: AbsorbanceSetup
        /// A sentence that says why nothing can be computed; nil if it can.
        package let obstacle: String?

        /// Returns what is known of the solution that passes a light; nil without a blank.
        func solution(_ light: LightMeasurement, hasErrors: Bool, in region: Region) -> Solution? {
            let found =
                obstacle.map { Absorbance(refusal: $0) } ?? setup.absorbance(of: light, in: region.coordinates)
            return found.map { absorbance in
                var concentration: Concentration?
                if case .fitted(let curve)? = setup.curve, hasErrors,
                    let result = try? curve.concentration(of: absorbance)
                {
                    concentration = Concentration(result, unit: setup.unit)
                }
                return Solution(absorbance: absorbance, hasErrors: hasErrors, concentration: concentration)
            }
        }
    }

    /// What is known of the solution in a region.
    package struct Solution: Equatable, Sendable {
        package let absorbance: Absorbance
        /// Whether the standard errors are known. They are not before there is a noise.
        package let hasErrors: Bool
        /// Nil without a curve or errors, or if the curve does not allow one.
        package let concentration: Concentration?

        /// Sentences that say why channels have no absorbance; nil if all have one.
        package var because: String? {
            absorbance.refusals.isEmpty ? nil : absorbance.refusals.joined(separator: " ")
        }
    }

    /// Adopts a setup; see ``absorbanceBasis``.
    mutating func apply(_ setup: AbsorbanceSetup, _ influence: ControlInfluence) {
        guard state.hasColor, setup.blank != nil else { return }
        absorbanceBasis = AbsorbanceBasis(setup: setup, obstacle: setup.obstacle(under: conditions(influence)))
    }

    /// Returns what is known of the solution in the region by a setup that is newer than the reading.
    package func solution(by setup: AbsorbanceSetup, _ influence: ControlInfluence) -> Solution? {
        var reading = self
        reading.absorbanceBasis = nil
        reading.apply(setup, influence)
        return reading.solution
    }

    /// What is known of the solution in the region; nil without a blank or a colour.
    package var solution: Solution? {
        solution(Measurement(mean: mean ?? .zero, linear: linear), noise: stability.noise, in: region)
    }

    /// Returns what is known of the solution in the region of a probe; nil without a blank or a colour.
    func solution(_ measurement: Measurement?, noise: Noise?, in region: Region) -> Solution? {
        guard let basis = absorbanceBasis, let measurement, let light = measurement.linear else { return nil }
        // The noise of encoded values, as light: half the difference that it makes in both directions.
        let errors = ChannelFigures(
            measurement.mean.combined(with: noise?.channels ?? .zero) { mean, noise in
                (SRGB.linear((mean + noise) / 255) - SRGB.linear((mean - noise) / 255)) / 2
            })
        return basis.solution(
            LightMeasurement(light: light, standardError: errors, degreesOfFreedom: .infinity),
            hasErrors: noise != nil, in: region)
    }

    /// The concentration in the region; nil if it is not defined.
    package var concentration: Concentration? { hasCurve ? solution?.concentration : nil }

    /// Returns the concentration in the region of a probe; nil if it is not defined.
    package func concentration(_ color: ProbeColor) -> Concentration? {
        hasCurve ? solution(color.measurement, noise: color.noise, in: color.probe.region)?.concentration : nil
    }

    /// Whether the standards give a curve, without which nothing needs to be computed.
    private var hasCurve: Bool { absorbanceBasis?.setup.unitOfCurve != nil }
}

/// Whether the blank is in force.
extension Reading.Solution: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "because", .string.orNull,
            "Sentences that say why a channel has no absorbance, such as `The blank was measured with other "
                + "settings: gain 64 → 80.`; null if all have one."
        ) { $0.because },
        .value("inForce", .boolean, "Whether a channel has an absorbance.") { $0.absorbance.isDefined },
    ]

    /// What is said of the absorbance; nil if no channel has one.
    var absorbanceFields: AbsorbanceFields? {
        absorbance.isDefined ? AbsorbanceFields(channels: absorbance.channels, hasErrors: hasErrors) : nil
    }
}

/// What is said of an absorbance.
package struct AbsorbanceFields: JSONFields {
    fileprivate let channels: Channels<Absorbance.Figure?, ChannelMeaning.Figure>
    fileprivate let hasErrors: Bool

    package static let fields: JSONFieldList<Self> = [
        .number("b", .number.orNull, decimals: 6) { $0.channels.b?.value },
        .number("g", .number.orNull, decimals: 6) { $0.channels.g?.value },
        .number("r", .number.orNull, decimals: 6) { $0.channels.r?.value },
        .object(
            "standardError",
            "By propagation of the errors of sample, blank and dark. Null while the noise is not known.",
            [
                .number("b", .number(from: 0).orNull, decimals: 6) { $0.channels.b?.standardError },
                .number("g", .number(from: 0).orNull, decimals: 6) { $0.channels.g?.standardError },
                .number("r", .number(from: 0).orNull, decimals: 6) { $0.channels.r?.standardError },
            ]
        ).orNull { $0.hasErrors ? $0 : nil },
    ]
}

extension SampleCollector {
    /// The light of the region, and of each probe that stayed in its place, averaged over the readings.
    ///
    /// The standard errors allow for readings that are alike (see `SeriesEstimate`). The first spot is the region.
    /// - Returns: Nil for fewer than 8 readings, or if one has no light.
    package func spots() -> [LightRecord.Spot]? {
        guard let region = areas.first.flatMap(Self.spot) else { return nil }
        return [region] + areas.dropFirst().compactMap(Self.spot)
    }

    /// Returns the concentration in an area by the light of all readings; nil if it is not defined.
    func concentration(in area: Area) -> Concentration? {
        guard let basis = newest?.absorbanceBasis, let spot = Self.spot(of: area) else { return nil }
        return basis.solution(spot.light, hasErrors: true, in: area.region)?.concentration
    }

    private static func spot(of area: Area) -> LightRecord.Spot? {
        guard let lights = area.lights, let mean = lights.mean,
            let (errors, degreesOfFreedom) = ChannelFigures.standardErrors(of: lights)
        else { return nil }
        return LightRecord.Spot(
            region: area.region.coordinates,
            light: LightMeasurement(
                light: mean, standardError: errors, degreesOfFreedom: Double(degreesOfFreedom),
                clippedHigh: area.clippedHigh))
    }
}
