import Color
import Glibc
package import Metrology
import Pixels
import Untrusted

extension Reading {
    /// What the absorbances of a reading are computed from.
    package struct AbsorbanceBasis: Equatable, Sendable {
        package let setup: AbsorbanceSetup
        /// A sentence that says why nothing can be computed; nil if it can.
        package let obstacle: String?
    }

    /// What is known of the solution in a region.
    package struct Solution: Equatable, Sendable {
        package let absorbance: Absorbance
        /// Whether the standard errors are known. They are not before there is a noise.
        package let hasErrors: Bool
        /// Nil without a curve or errors, or if the curve does not allow one.
        package let concentration: StandardCurve.Concentration?
        package let unit: String

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
        var absorbance: Absorbance?
        if let obstacle = basis.obstacle {
            absorbance = Absorbance(refusal: obstacle)
        } else {
            // The noise of encoded values, as light: half the difference that it makes in both directions.
            let errors = ChannelFigures(
                measurement.mean.combined(with: noise?.channels ?? .zero) { mean, noise in
                    (SRGB.linear((mean + noise) / 255) - SRGB.linear((mean - noise) / 255)) / 2
                })
            absorbance = basis.setup.absorbance(
                of: LightMeasurement(light: light, standardError: errors, degreesOfFreedom: .infinity),
                in: region.coordinates)
        }
        guard let absorbance else { return nil }
        var concentration: StandardCurve.Concentration?
        if case .fitted(let curve)? = basis.setup.curve, noise != nil {
            concentration = try? curve.concentration(of: absorbance)
        }
        return Solution(
            absorbance: absorbance, hasErrors: noise != nil, concentration: concentration, unit: basis.setup.unit)
    }
}

extension JSONWriter {
    /// Writes the absorbance and the concentration of a solution; null where they are not defined.
    mutating func absorbance(of solution: Reading.Solution?) {
        field("absorbance", of: solution.flatMap { $0.absorbance.isDefined ? $0 : nil }) { json, solution in
            let channels = solution.absorbance.channels
            func figures(_ json: inout JSONWriter, _ figure: (Absorbance.Figure) -> Double) {
                json.field("b", channels.b.map(figure), decimals: 6)
                json.field("g", channels.g.map(figure), decimals: 6)
                json.field("r", channels.r.map(figure), decimals: 6)
            }
            figures(&json) { $0.value }
            json.field("standardError", of: solution.hasErrors ? channels : nil) { json, _ in
                figures(&json) { $0.standardError }
            }
        }
    }

    /// Writes the concentration of a solution to six significant digits; null if it is not defined.
    mutating func concentration(of solution: Reading.Solution?) {
        field("concentration", of: solution?.concentration) { json, concentration in
            json.field("belowDetection", concentration.isBelowDetection)
            json.field("extrapolated", concentration.isExtrapolated)
            json.field("high", concentration.interval?.upperBound.significant, decimals: 15)
            json.field("low", concentration.interval?.lowerBound.significant, decimals: 15)
            json.field("unit", solution?.unit)
            json.field("value", concentration.value.significant, decimals: 15)
        }
    }

    /// Writes whether the blank is in force; null without a blank or a colour.
    mutating func blank(of solution: Reading.Solution?) {
        field("blank", of: solution) { json, solution in
            json.field("because", solution.because)
            json.field("inForce", solution.absorbance.isDefined)
        }
    }
}

extension Double {
    /// The number rounded to six significant digits.
    fileprivate var significant: Double {
        guard self != 0, isFinite else { return self }
        let power = pow(10, 5 - floor(log10(magnitude)))
        return (self * power).rounded() / power
    }
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
