import Color

/// The rule by which readings decide whether a colour is within its tolerance.
///
/// A colour passes if it is within the tolerance with a confidence of 97.5 %, and fails if it is beyond it with the
/// same confidence (JCGM 106:2012, 8.3.2 and 8.3.3, guarded acceptance and guarded rejection). The readings have
/// coordinates around the target in which ΔE00 is the ordinary distance. The difference of their mean from the target,
/// ΔE ± U, does not decide, because noise adds to the length of every short vector. Instead, the mean lies in an
/// ellipsoid, whose half axes are a number of standard errors, and its farthest and its nearest point decide:
///
/// - Pass, if the farthest point is within the tolerance, for Student's t standard errors. A colour beyond the
///   tolerance is at least that far in some direction, and a single one-sided test in this direction has the error of
///   2.5 %; all directions have to agree (R. L. Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling",
///   Technometrics 24, 1982).
/// - Fail, if the nearest point is beyond the tolerance. Here one direction is enough, so the ellipsoid is larger. In
///   units of the standard errors, the tolerance is an ellipsoid, which at each point of its surface contains a ball of
///   its smallest radius of curvature that touches the surface there (Blaschke's rolling theorem), and the distance
///   from a ball has a known distribution (``DistanceFromPoint``).
///
/// The second is exact if the errors are known. They are estimated, so the excess over t is increased for few degrees
/// of freedom (ours), until simulation showed no more than 2.5 % of wrong verdicts for 8 readings with ρ = 0.8.
struct DecisionRule: Sendable {
    /// The probability of each kind of wrong verdict.
    static let risk = 0.025

    private let target: ColorTarget
    private let color: MeasuredColor
    private let difference: CIEDE2000
    /// The difference of the mean from the target, along the principal axes of the noise.
    private let position: SIMD3<Double>
    /// The scatter along those axes.
    private let scatter: SIMD3<Double>
    /// The scatter of ΔL', ΔC' and ΔH'.
    private let componentScatter: SIMD3<Double>
    /// The contributions of lightness, chroma and hue to the difference, in ΔE00.
    let contributions: SIMD3<Double>

    init(_ target: ColorTarget, _ color: MeasuredColor, difference: CIEDE2000) {
        (self.target, self.color, self.difference) = (target, color, difference)
        let space = DifferenceSpace(between: target.color, and: color.mean)
        let map = space.map
        var vector = map * (color.mean.vector - target.color.vector)
        // Exactly, the distance is ΔE00 only for small differences of hue.
        if vector.length > 1e-9 { vector *= difference.total / vector.length }
        let axes = color.moments.scatter.transformed(by: map).principalAxes
        position = SIMD3(vector.dot(axes.vectors[0]), vector.dot(axes.vectors[1]), vector.dot(axes.vectors[2]))
        scatter = axes.values.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .infinity))
        componentScatter = color.moments.scatter.transformed(by: space.componentMap).diagonal
        contributions = SIMD3(difference.lightness, difference.chroma, difference.hue) / space.weights
    }

    /// The standard deviation of single readings in the noisiest direction, in ΔE00.
    var noise: Double {
        let errors = errors(of: color.count)
        return (scatter.max() * errors.factor * Double(color.count)).squareRoot()
    }

    /// The standard errors of ΔL', ΔC' and ΔH'.
    var componentErrors: SIMD3<Double> { (componentScatter * errors(of: color.count).factor).squareRoot() }

    /// The range that holds the true difference: a true difference beyond either end has a probability of 2.5 % at
    /// most.
    var interval: (low: Double, high: Double) {
        let bounds = bounds(errors(of: color.count), rejectionRisk: Self.risk)
        return (bounds.nearest, bounds.farthest)
    }

    var outcome: Verdict.Outcome {
        let margins = margins(after: color.count)
        if margins.rejection.contains(where: { $0.value > 0 }) { return .fail }
        return margins.acceptance.allSatisfy { $0.value >= 0 } ? .pass : .close
    }

    /// How many more readings would decide, with a probability of 80 %; nil if it is more than ``maxReadings``.
    ///
    /// ASTM E1345 computes such a number as if the present mean were the truth. Near the tolerance, this is too
    /// optimistic by far, so the probability allows for the uncertainty of the present mean, too: it is the predictive
    /// probability of a decision (D. J. Spiegelhalter, L. S. Freedman, P. R. Blackburn, "Monitoring clinical trials:
    /// conditional or predictive power?", Controlled Clinical Trials 7, 1986).
    var readingsToDecide: Int? {
        let limit = color.count + Self.maxReadings
        func decides(_ total: Int) -> Bool { decisionProbability(after: total) >= Self.decisionProbability }
        var (low, high) = (color.count, min(2 * color.count, limit))
        while !decides(high) {
            guard high < limit else { return nil }
            (low, high) = (high, min(2 * high, limit))
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if decides(middle) { high = middle } else { low = middle }
        }
        return high - color.count
    }

    private func decisionProbability(after total: Int) -> Double {
        let margins = margins(after: total)
        // The mean of all readings will differ from the present one by the variance that is still to go.
        let share = (errors(of: color.count).factor - errors(of: total).factor).squareRoot()
        func probability(_ margin: Margin) -> Double {
            let error = share * margin.deviation
            return error > 0 ? Normal.cumulative(margin.value / error) : (margin.value > 0 ? 1 : 0)
        }
        // Each tolerance alone may reject, and all together accept. Sums and products would need their correlation.
        return (margins.acceptance.map(probability).min() ?? 0) + (margins.rejection.map(probability).max() ?? 0)
    }

    /// The greatest number of further readings that is proposed: about four minutes of them at the default rate.
    static let maxReadings = 1000
    private static let decisionProbability = 0.8

    private func errors(of total: Int) -> SeriesMoments.MeanUncertainty {
        color.moments.uncertainty(ofMeanOf: total, autocorrelation: color.autocorrelation)
    }

    /// How far the readings are from a decision.
    private struct Margin {
        /// The distance from the limit in ΔE00 or units of a component; positive beyond it.
        var value: Double
        /// The square root of the scatter in the direction of the difference.
        var deviation: Double
    }

    /// Returns the margins of each tolerance, if the mean of this number of readings is the present one.
    private func margins(after total: Int) -> (acceptance: [Margin], rejection: [Margin]) {
        let tolerance = target.tolerance
        let components = [
            (difference.lightness, tolerance.lightness, componentScatter.x),
            (difference.chroma, tolerance.chroma, componentScatter.y),
            (difference.hue, tolerance.hue, componentScatter.z),
        ]
        // Any of the tolerances may reject, so they share the risk. To pass, all have to agree.
        let rejectionRisk = Self.risk / Double(1 + components.count { $0.1 != nil })
        let errors = errors(of: total)
        let bounds = bounds(errors, rejectionRisk: rejectionRisk)
        let length = position.length
        let along = length > 0 ? scatter.dot(position * position) / (length * length) : scatter.max()
        var acceptance = [Margin(value: tolerance.deltaE - bounds.farthest, deviation: along.squareRoot())]
        var rejection = [Margin(value: bounds.nearest - tolerance.deltaE, deviation: along.squareRoot())]
        for case (let value, let limit?, let scatter) in components {
            let (deviation, error) = (scatter.squareRoot(), (scatter * errors.factor).squareRoot())
            acceptance.append(
                Margin(value: limit - abs(value) - error * t(1 - Self.risk, errors), deviation: deviation))
            // Either end of the tolerance may reject.
            rejection.append(
                Margin(value: abs(value) - error * t(1 - rejectionRisk / 2, errors) - limit, deviation: deviation))
        }
        return (acceptance, rejection)
    }

    private func t(_ probability: Double, _ errors: SeriesMoments.MeanUncertainty) -> Double {
        StudentsT.quantile(probability, degreesOfFreedom: errors.degreesOfFreedom)
    }

    private func bounds(
        _ errors: SeriesMoments.MeanUncertainty, rejectionRisk: Double
    ) -> (nearest: Double, farthest: Double) {
        let deviations = (scatter * errors.factor).squareRoot()
        let farthest = Ellipsoid(center: position, axes: deviations * t(1 - Self.risk, errors)).farthest
        let greatest = deviations.max()
        guard greatest > 0 else { return (position.length, farthest) }
        // Few readings often make one axis too short, and only by chance. A longer one is on the safe side.
        let safe = deviations.clamped(
            lowerBound: SIMD3(repeating: greatest / 3), upperBound: SIMD3(repeating: greatest))
        let radius = target.tolerance.deltaE * safe.min() / (greatest * greatest)
        let excess = Self.distanceFactor(radius: radius, risk: rejectionRisk) / Normal.quantile(1 - rejectionRisk) - 1
        let factor = t(1 - rejectionRisk, errors) * (1 + excess * (1 + 8 / errors.degreesOfFreedom))
        return (Ellipsoid(center: position, axes: safe * factor).nearest, farthest)
    }

    /// Returns the distance from a ball that a normal vector around a point of its surface exceeds with a probability.
    private static func distanceFactor(radius: Double, risk: Double) -> Double {
        // From about here on, the surface is flat, and the rounding of the distribution would be seen.
        guard radius < 1e4 else { return Normal.quantile(1 - risk) }
        return Root.find(in: 0...10) { DistanceFromPoint.cumulative(radius + $0, distance: radius) - (1 - risk) }
    }
}

/// An ellipsoid whose axes are parallel to those of the coordinates.
struct Ellipsoid {
    var center: SIMD3<Double>
    /// Half the length of each axis.
    var axes: SIMD3<Double>

    /// The distance from the origin to the nearest point; 0 if the origin is inside.
    var nearest: Double {
        let squares = axes * axes
        // A Lagrange multiplier: the nearest point is c m / (m + a²), where Σ (a c / (m + a²))² = 1.
        let products = axes * center
        func excess(_ m: Double) -> Double {
            let terms = products / (SIMD3(repeating: m) + squares)
            return terms.dot(terms) - 1
        }
        let limit = products.length
        guard limit > 0 else { return center.length }
        let smallest = limit * 1e-12
        guard excess(smallest) > 0 else { return 0 }
        let m = Root.find(in: smallest...limit) { -excess($0) }
        return (center * m / (SIMD3(repeating: m) + squares)).length
    }

    /// The distance from the origin to the farthest point.
    var farthest: Double {
        let greatest = axes.max()
        guard greatest > 0 else { return center.length }
        let squares = axes * axes
        // The sign of a coordinate makes no difference. If one is 0, there are two farthest points; the tiny number
        // chooses one of them.
        let tiny = 1e-9 * (greatest + center.length)
        let point = SIMD3(abs(center.x) + tiny, abs(center.y) + tiny, abs(center.z) + tiny)
        let products = axes * point
        // As above: the farthest point is c m / (m − a²).
        let start = greatest * greatest
        let m = Root.find(in: start...(start + products.length * (1 + 1e-12))) { m in
            let terms = products / (SIMD3(repeating: m) - squares)
            return 1 - terms.dot(terms)
        }
        return (point * m / (SIMD3(repeating: m) - squares)).length
    }
}
