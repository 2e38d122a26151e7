import Glibc
import Synchronization

/// The standard normal distribution.
package enum Normal {
    package static func density(_ z: Double) -> Double { exp(-z * z / 2) / (2 * Double.pi).squareRoot() }

    /// Returns the probability of a value up to `z`.
    package static func cumulative(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

    /// Returns the value up to which the probability is `p`, 0<..<1.
    package static func quantile(_ p: Double) -> Double {
        if p > 0.5 { return -quantile(1 - p) }
        return Root.find(in: -39...0) { cumulative($0) - p }
    }
}

/// Student's t distribution.
package enum StudentsT {
    /// Returns the probability of a value up to `t`. The degrees of freedom need not be a whole number.
    package static func cumulative(_ t: Double, degreesOfFreedom: Double) -> Double {
        // (DLMF 8.17 with Abramowitz and Stegun 26.7.1)
        let tail = 0.5 * Beta.regularized(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
        return t > 0 ? 1 - tail : tail
    }

    /// Returns the value up to which the probability is `p`, 0<..<1.
    package static func quantile(_ p: Double, degreesOfFreedom: Double) -> Double {
        guard degreesOfFreedom < 1e6 else { return Normal.quantile(p) }
        if p < 0.5 { return -quantile(1 - p, degreesOfFreedom: degreesOfFreedom) }
        let place = Place(p: p, degreesOfFreedom: degreesOfFreedom)
        if let found = found.withLock({ $0[place] }) { return found }
        let quantile = Root.find(from: 0) { cumulative($0, degreesOfFreedom: degreesOfFreedom) - p }
        found.withLock { found in
            if found.count >= maxFound { found.removeAll(keepingCapacity: true) }
            found[place] = quantile
        }
        return quantile
    }

    private struct Place: Hashable {
        var p: Double
        var degreesOfFreedom: Double
    }

    /// The newest quantiles. A reading needs each of them once for every target and limit, and finding one takes as
    /// long as all the rest of a verdict.
    private static let found = Mutex<[Place: Double]>([:])
    private static let maxFound = 256
}

/// The chi-squared distribution.
package enum ChiSquared {
    /// Returns the probability of a value up to `x`. The degrees of freedom need not be a whole number.
    package static func cumulative(_ x: Double, degreesOfFreedom: Double) -> Double {
        Gamma.regularized(degreesOfFreedom / 2, max(0, x) / 2)
    }

    /// Returns the value up to which the probability is `p`, 0<..<1.
    package static func quantile(_ p: Double, degreesOfFreedom: Double) -> Double {
        Root.find(from: 0) { cumulative($0, degreesOfFreedom: degreesOfFreedom) - p }
    }
}

/// The length of a vector of three normal numbers of variance 1 around a point: the non-central chi distribution of
/// three degrees of freedom.
package enum DistanceFromPoint {
    /// Returns the probability of a length up to `length`, if the point has this distance from the origin.
    ///
    /// For three degrees of freedom, the density is (r / d) (φ(r − d) − φ(r + d)), which has this integral.
    package static func cumulative(_ length: Double, distance: Double) -> Double {
        guard length > 0 else { return 0 }
        // Below, the difference of the densities is lost in rounding; the distribution differs from that of 0 by less.
        let d = max(distance, 1e-5)
        return Normal.cumulative(length - d) - Normal.cumulative(-length - d)
            - (Normal.density(length - d) - Normal.density(length + d)) / d
    }
}

/// Snedecor's F distribution.
package enum FDistribution {
    /// Returns the probability of a value above `f`.
    package static func tail(_ f: Double, _ numerator: Double, _ denominator: Double) -> Double {
        guard f > 0 else { return 1 }
        return Beta.regularized(denominator / (denominator + numerator * f), denominator / 2, numerator / 2)
    }
}

/// The factors of tolerance intervals of a normal distribution.
package enum ToleranceFactor {
    /// Returns the factor k for which mean ± k s covers a share of the population with the given confidence (W. G.
    /// Howe, "Two-Sided Tolerance Limits for Normal Populations: Some Improvements", Journal of the American
    /// Statistical Association 64, 1969; NIST/SEMATECH e-Handbook of Statistical Methods, 7.2.6.3).
    package static func twoSided(count: Int, share: Double, confidence: Double) -> Double {
        Normal.quantile((1 + share) / 2) * scale(count: count, confidence: confidence)
    }

    /// The part of the factor that allows for the unknown mean and variance.
    static func scale(count: Int, confidence: Double) -> Double {
        let freedom = Double(count - 1)
        let variance = freedom / ChiSquared.quantile(1 - confidence, degreesOfFreedom: freedom)
        return ((1 + 1 / Double(count)) * variance).squareRoot()
    }
}

/// The incomplete gamma function.
enum Gamma {
    /// Returns P(a, x), by its series below a + 1 and by its continued fraction above (DLMF 8.11.4 and 8.9.2; W. H.
    /// Press and others, "Numerical Recipes", 6.2).
    static func regularized(_ a: Double, _ x: Double) -> Double {
        guard x > 0 else { return 0 }
        let scale = exp(a * log(x) - x - lgamma(a))
        guard x < a + 1 else {
            let fraction = ContinuedFraction.evaluate(first: x + 1 - a) { step in
                (-step * (step - a), x + 2 * step + 1 - a)
            }
            return 1 - scale / fraction
        }
        var (term, sum, divisor) = (1 / a, 1 / a, a)
        for _ in 0..<ContinuedFraction.maxSteps where term > sum * 1e-17 {
            divisor += 1
            term *= x / divisor
            sum += term
        }
        return sum * scale
    }
}

/// The incomplete beta function.
enum Beta {
    /// Returns I_x(a, b) by its continued fraction (DLMF 8.17.22; W. H. Press and others, "Numerical Recipes", 6.4).
    static func regularized(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        // The fraction converges quickly on this side.
        if x > (a + 1) / (a + b + 2) { return 1 - regularized(1 - x, b, a) }
        let logarithmOfBeta: Double = lgamma(a) + lgamma(b) - lgamma(a + b)
        let scale: Double = exp(a * log(x) + b * log1p(-x) - logarithmOfBeta) / a
        let fraction = ContinuedFraction.evaluate(first: 1) { step in
            let m = (step / 2).rounded(.down)
            let isEven = step == 2 * m
            let numerator = isEven ? m * (b - m) * x : -(a + m) * (a + b + m) * x
            return (numerator / ((a + step - 1) * (a + step)), 1)
        }
        return scale / fraction
    }
}

private enum ContinuedFraction {
    static let maxSteps = 10_000

    /// Returns first + a₁ / (b₁ + a₂ / (b₂ + …)) by the method of Lentz (W. J. Lentz, "Generating Bessel functions in
    /// Mie scattering calculations using continued fractions", Applied Optics 15, 1976; modified by Thompson and
    /// Barnett).
    static func evaluate(first: Double, _ terms: (Double) -> (a: Double, b: Double)) -> Double {
        let tiny = 1e-300
        var value = first == 0 ? tiny : first
        var (c, d) = (value, 0.0)
        for step in 1...maxSteps {
            let (a, b) = terms(Double(step))
            d = b + a * d
            c = b + a / c
            d = 1 / (d == 0 ? tiny : d)
            c = c == 0 ? tiny : c
            value *= c * d
            if abs(c * d - 1) < 1e-16 { break }
        }
        return value
    }
}

/// Roots of functions of one variable.
enum Root {
    /// Returns where a rising function is 0, as exactly as numbers allow (T. R. Chandrupatla, "A new hybrid
    /// quadratic/bisection algorithm for finding the zero of a nonlinear function without using derivatives", Advances
    /// in Engineering Software 28, 1997).
    static func find(in limits: ClosedRange<Double>, _ function: (Double) -> Double) -> Double {
        // The root is between a, the newest limit, and b; c is the one before.
        var (a, b) = (limits.lowerBound, limits.upperBound)
        var (atA, atB) = (function(a), function(b))
        if atA >= 0 { return a }
        if atB <= 0 { return b }
        var share = 0.5
        // Bisection alone would take about 60 steps for most functions.
        for _ in 0..<200 {
            let next = a + share * (b - a)
            let atNext = function(next)
            let (c, atC): (Double, Double)
            if (atNext < 0) == (atA < 0) {
                (c, atC) = (a, atA)
            } else {
                (c, atC, b, atB) = (b, atB, a, atA)
            }
            (a, atA) = (next, atNext)
            let best = abs(atA) < abs(atB) ? a : b
            let tolerance = (2 * best.magnitude.ulp + Double.leastNormalMagnitude) / abs(b - a)
            if atA == 0 || tolerance > 0.5 { return best }
            let (x, f) = ((a - b) / (c - b), (atA - atB) / (atC - atB))
            share = 0.5
            // Only then does inverse quadratic interpolation stay between the limits.
            if f * f < x, (1 - f) * (1 - f) < 1 - x {
                share =
                    atA / (atB - atA) * atC / (atB - atC) + (c - a) / (b - a) * atA / (atC - atA) * atB / (atC - atB)
            }
            share = min(max(share, tolerance), 1 - tolerance)
        }
        return a
    }

    /// Returns where a rising function is 0, from a lower limit on.
    static func find(from low: Double, _ function: (Double) -> Double) -> Double {
        var high = low + 1
        while function(high) < 0, high < 1e300 { high = low + 2 * (high - low) }
        return find(in: low...high, function)
    }
}
