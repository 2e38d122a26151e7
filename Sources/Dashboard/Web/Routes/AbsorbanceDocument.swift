import Color
import Documents
import Metrology
import Readings
import Untrusted

/// The document of `/api/absorbance`.
struct AbsorbanceDocument: Encodable {
    struct Light: Encodable {
        var time: String
        var readings: Int
        var everywhere: Bool
        var region: [Double]
        /// The number of probes whose own light was measured.
        var probes: Int
        var light: LinearRGB
        var standardError: ChannelFigures
        var conditions: MeasuringConditions

        init?(_ record: LightRecord?) {
            guard let record, let spot = record.spots.first else { return nil }
            (time, readings, everywhere) = (record.time, record.readings, record.everywhere)
            (region, probes, conditions) = (spot.region, record.spots.count - 1, record.conditions)
            (light, standardError) = (spot.light.light, spot.light.standardError)
        }
    }

    struct Standard: Encodable {
        var name: String
        var concentration: Double
        var absorbance: Absorbance
        var camera: String
        var time: String
        /// What remains above the line; null without a curve, or an absorbance in its channel.
        @Nullable var residual: Double?
    }

    struct Curve: Encodable {
        var channel: StandardCurve.Channel
        var slope: Double
        var slopeError: Double
        var intercept: Double
        var interceptError: Double
        var rSquared: Double
        var degreesOfFreedom: Double
        /// Null if the standards do not scatter.
        @Nullable var detectionLimit: StandardCurve.DetectionLimit?
        /// Null if there are too few standards to tell.
        @Nullable var bent: Bool?
        @Nullable var warning: String?

        init(_ curve: StandardCurve) {
            (channel, slope, slopeError) = (curve.channel, curve.line.slope, curve.line.slopeError)
            (intercept, interceptError) = (curve.line.intercept, curve.line.interceptError)
            (rSquared, degreesOfFreedom) = (curve.line.rSquared, curve.line.degreesOfFreedom)
            (detectionLimit, bent, warning) = (curve.detectionLimit, curve.linearity?.isBent, curve.warning)
        }
    }

    @Nullable var blank: Light?
    @Nullable var dark: Light?
    /// Whether the region has an absorbance under the present conditions.
    var inForce: Bool
    /// Why a channel or the region has none; null without a blank or if all have one.
    @Nullable var because: String?
    var unit: String
    /// The channel that was chosen for the curve; null for that with the best signal.
    @Nullable var channel: StandardCurve.Channel?
    var standards: [Standard]
    @Nullable var curve: Curve?
    /// Why there is no curve, or no concentration by it; null without standards.
    @Nullable var reason: String?
    /// Why the setup will be lost when the program ends; null if it is kept.
    @Nullable var problem: String?

    init(_ setup: AbsorbanceSetup, _ reading: Reading, _ influence: ControlInfluence, problem: String?) {
        (blank, dark) = (Light(setup.blank), Light(setup.dark))
        (unit, channel, self.problem) = (setup.unit, setup.channel, problem)
        let solution = reading.solution(by: setup, influence)
        inForce = solution?.absorbance.isDefined ?? false
        because = solution?.because
        var residuals: [Double] = []
        var channel: StandardCurve.Channel?
        switch setup.curve {
        case .fitted(let fitted):
            curve = Curve(fitted)
            (residuals, channel) = (fitted.line.residuals.reversed(), fitted.channel)
            reason = fitted.obstacle
        case .refused(let refusal): reason = refusal.message
        case nil: break
        }
        standards = setup.standards.map { standard in
            // The residuals are those of the standards with an absorbance in the channel, in their order.
            let residual = channel?.figure(of: standard.absorbance).flatMap { _ in residuals.popLast() }
            return Standard(
                name: standard.name.text, concentration: standard.concentration, absorbance: standard.absorbance,
                camera: standard.camera, time: standard.time, residual: residual)
        }
    }
}
