/// A straight line through points, by weighted least squares.
///
/// The weights are relative: only the residuals tell how large the errors are (J. N. Miller, J. C. Miller, "Statistics
/// and Chemometrics for Analytical Chemistry", 5.10).
package struct StraightLine: Equatable, Sendable {
    package let slope: Double
    /// The value at x = 0.
    package let intercept: Double
    package let slopeError: Double
    package let interceptError: Double
    /// The standard deviation of a point of weight 1 about the line.
    package let deviation: Double
    /// What remains of each point above the line.
    package let residuals: [Double]
    /// The share of the variation that the line explains, 0...1; 1 if there is none.
    package let rSquared: Double
    /// The number of points less 2.
    package let degreesOfFreedom: Double

    private let meanX: Double
    private let sumOfWeights: Double
    /// Σ w (x − mean)².
    private let spread: Double

    /// - Parameter weights: One for each point, greater than 0; the reciprocal of a variance, in any unit.
    /// - Returns: Nil for fewer than 3 points, or if all have the same x.
    package init?(x: [Double], y: [Double], weights: [Double]) {
        guard x.count >= 3, y.count == x.count, weights.count == x.count else { return nil }
        func sum(_ term: (Int) -> Double) -> Double { x.indices.reduce(0) { $0 + weights[$1] * term($1) } }
        let total = sum { _ in 1 }
        let (meanX, meanY) = (sum { x[$0] } / total, sum { y[$0] } / total)
        let spread = sum { (x[$0] - meanX) * (x[$0] - meanX) }
        guard total > 0, spread > 0, spread.isFinite else { return nil }
        let slope = sum { (x[$0] - meanX) * (y[$0] - meanY) } / spread
        let residuals = x.indices.map { y[$0] - meanY - slope * (x[$0] - meanX) }
        let (rest, variation) = (sum { residuals[$0] * residuals[$0] }, sum { (y[$0] - meanY) * (y[$0] - meanY) })
        self.slope = slope
        intercept = meanY - slope * meanX
        degreesOfFreedom = Double(x.count - 2)
        deviation = (rest / degreesOfFreedom).squareRoot()
        slopeError = deviation / spread.squareRoot()
        interceptError = deviation * (1 / total + meanX * meanX / spread).squareRoot()
        self.residuals = residuals
        rSquared = variation > 0 ? max(0, 1 - rest / variation) : 1
        (self.meanX, sumOfWeights, self.spread) = (meanX, total, spread)
    }

    /// Returns the x at which the line has a value, with its interval of 95 % (E. C. Fieller, "Some Problems in
    /// Interval Estimation", Journal of the Royal Statistical Society B 16, 1954; N. R. Draper, H. Smith, "Applied
    /// Regression Analysis", 3.2).
    /// - Parameter weight: The weight of the value.
    /// - Returns: Nil if the slope cannot be told from 0, so that the interval has no end.
    package func inverse(of y: Double, weight: Double) -> (x: Double, low: Double, high: Double)? {
        guard slope != 0 else { return nil }
        let t = StudentsT.quantile(0.975, degreesOfFreedom: degreesOfFreedom)
        let g = t * t * slopeError * slopeError / (slope * slope)
        guard g < 1, weight > 0 else { return nil }
        let offset = (y - intercept) / slope - meanX
        let error = deviation / abs(slope)
        let half = t * error * ((1 - g) * (1 / weight + 1 / sumOfWeights) + offset * offset / spread).squareRoot()
        return (meanX + offset, meanX + (offset - half) / (1 - g), meanX + (offset + half) / (1 - g))
    }
}

extension StraightLine {
    /// Returns half the interval of 95 % of the x at which a curve that follows the line has a value.
    /// - Parameters:
    ///   - slope: The slope of the curve at x.
    ///   - weight: The weight of the value.
    func halfWidth(at x: Double, slope: Double, weight: Double) -> Double {
        let t = StudentsT.quantile(0.975, degreesOfFreedom: degreesOfFreedom)
        let variance = 1 / weight + 1 / sumOfWeights + (x - meanX) * (x - meanX) / spread
        return t * deviation / abs(slope) * variance.squareRoot()
    }
}

/// A straight line through points, and what a term of the second degree explains of their residuals.
struct Parabola {
    let line: StraightLine
    /// The coefficient of the term.
    let curvature: Double
    /// Σ w r², where r is what remains of x² about its own line: the part that no line explains.
    let bow: Double
    /// Σ w e², where e is what remains of the points about the parabola.
    let rest: Double

    /// - Returns: Nil for fewer than 3 points, or if there are fewer than 3 different x.
    init?(x: [Double], y: [Double], weights: [Double]) {
        guard Set(x).count >= 3, let line = StraightLine(x: x, y: y, weights: weights),
            let square = StraightLine(x: x, y: x.map { $0 * $0 }, weights: weights)
        else { return nil }
        func sum(_ term: (Int) -> Double) -> Double { x.indices.reduce(0) { $0 + weights[$1] * term($1) } }
        let bow = sum { square.residuals[$0] * square.residuals[$0] }
        let curvature = sum { square.residuals[$0] * line.residuals[$0] } / bow
        (self.line, self.curvature, self.bow) = (line, curvature, bow)
        rest = sum {
            let residual = line.residuals[$0] - curvature * square.residuals[$0]
            return residual * residual
        }
    }
}

/// A test whether points lie on a straight line.
package struct Linearity: Equatable, Sendable {
    /// The probability that chance alone causes at least this departure from a straight line, 0...1.
    package let probability: Double
    /// The sign of the second derivative: negative if the curve flattens as it rises.
    package let curvature: Double
    /// The greatest departure of the parabola through the points from its chord, as a share of its rise.
    package let size: Double
    /// Whether the points are bent: at the level of 5 %, and by an amount that matters.
    package var isBent: Bool { probability < 0.05 && size > Self.minSize }

    /// The size of a bend that matters (ours).
    private static let minSize = 0.01

    /// Tests for lack of fit. If levels are repeated, the means of the levels are compared with the scatter within them
    /// (N. R. Draper, H. Smith, "Applied Regression Analysis", 2.1); if not, a parabola is compared with the line (J.
    /// Mandel, "The Statistical Analysis of Experimental Data", 1964).
    /// - Parameter errors: The standard error of each measurement, which is the least scatter that is believed.
    /// - Returns: Nil if there are too few points to tell.
    package init?(x: [Double], y: [Double], weights: [Double], errors: [Double] = []) {
        guard x.count >= 4, let parabola = Parabola(x: x, y: y, weights: weights) else { return nil }
        let (line, bow) = (parabola.line, parabola.bow)
        func sum(_ term: (Int) -> Double) -> Double { x.indices.reduce(0) { $0 + weights[$1] * term($1) } }
        let levels = Set(x)
        let rest = sum { line.residuals[$0] * line.residuals[$0] }
        curvature = parabola.curvature
        let range = (x.max() ?? 0) - (x.min() ?? 0)
        size = abs(curvature) * range * range / 4 / max(abs(line.slope) * range, 1e-300)
        let (explained, explaining, left, leaving): (Double, Int, Double, Int)
        if x.count - levels.count >= 2 {
            left = levels.reduce(0) { total, level in
                let points = x.indices.filter { x[$0] == level }
                let weight = points.reduce(0) { $0 + weights[$1] }
                let mean = points.reduce(0) { $0 + weights[$1] * y[$1] } / weight
                return points.reduce(total) { $0 + weights[$1] * (y[$1] - mean) * (y[$1] - mean) }
            }
            (explained, explaining, leaving) = (max(0, rest - left), levels.count - 2, x.count - levels.count)
        } else {
            explained = min(rest, curvature * curvature * bow)
            (explaining, left, leaving) = (1, rest - explained, x.count - 3)
        }
        // A departure below the rounding of the values does not count.
        let rounding = sum { y[$0] * y[$0] } * 1e-24
        if explained <= rounding {
            probability = 1
        } else if left <= rounding {
            probability = 0
        } else {
            let least = sum { errors.isEmpty ? 0 : errors[$0] * errors[$0] } / Double(x.count)
            let ratio = explained / Double(explaining) / max(left / Double(leaving), least)
            probability = FDistribution.tail(ratio, Double(explaining), Double(leaving))
        }
    }
}
