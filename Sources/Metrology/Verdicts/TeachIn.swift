package import Color

/// A target that good parts, and bad ones if there are any, have taught.
package struct TeachIn: Equatable, Sendable {
    /// The minimum number of good parts.
    package static let minCount = 5
    /// The share of good parts that the tolerance covers.
    package static let share = 0.99
    /// The probability that it covers this share.
    package static let confidence = 0.95
    /// The smallest tolerance. Parts that are alike to the last digit would have one of 0, and nothing would pass.
    private static let minTolerance = 0.1

    /// The mean of the good parts.
    package let color: CIELab
    /// The tolerances.
    ///
    /// Those of lightness, chroma and hue are tolerance intervals of normal distributions: each covers 99 % of the good
    /// parts with a confidence of 95 % (``ToleranceFactor``). That of ΔE00 follows from all three: the distance
    /// that 99 % of the parts keep if the covariance is what it seems, increased by Howe's factor for a single
    /// coordinate. So it covers 99 % with a confidence of 95 % if all parts lie on a line in CIELAB, and with more
    /// otherwise (ours).
    package let tolerance: Tolerance
    package let goodCount: Int
    /// The numbers of the bad parts, in the order given, that would have passed.
    package let passingBad: [Int]
    package let badCount: Int

    /// - Parameters:
    ///   - good: The colour of each good part.
    ///   - bad: The colour of each bad part.
    ///   - hasComponents: Whether lightness, chroma and hue have tolerances of their own.
    /// - Returns: Nil for fewer than 5 good parts.
    package init?(good: [CIELab], bad: [CIELab], hasComponents: Bool) {
        guard good.count >= Self.minCount else { return nil }
        let moments = SeriesMoments(good.map(\.vector))
        let color = CIELab(moments.mean)
        let space = DifferenceSpace(around: color)
        let freedom = Double(good.count - 1)

        let components = (moments.scatter.transformed(by: space.componentMap).diagonal / freedom).squareRoot()
        let factor = ToleranceFactor.twoSided(count: good.count, share: Self.share, confidence: Self.confidence)
        func limit(_ deviation: Double) -> Double? { hasComponents ? max(Self.minTolerance, factor * deviation) : nil }

        let variances = moments.scatter.transformed(by: space.map).principalAxes.values / freedom
        let distance = Self.quantile(variances).squareRoot()
        let tolerance = Tolerance(
            deltaE: max(
                Self.minTolerance,
                distance * ToleranceFactor.scale(count: good.count, confidence: Self.confidence)),
            lightness: limit(components.x), chroma: limit(components.y), hue: limit(components.z))
        self.color = color
        self.tolerance = tolerance
        (goodCount, badCount) = (good.count, bad.count)
        passingBad = bad.indices.filter { tolerance.contains(CIEDE2000(color, bad[$0])) }
    }

    /// The sentence that goes with the tolerance.
    package var description: String {
        let covered = "Covers 99 % of such parts with a confidence of 95 %, as \(goodCount) good parts suggest."
        guard badCount > 0 else { return covered }
        let passing = passingBad.isEmpty ? "None" : "\(passingBad.count)"
        return covered + " \(passing) of the \(badCount) bad parts would have passed."
    }

    /// Returns the square of the distance that 99 % of the vectors with these variances keep: the quantile of a sum of
    /// squares by its first three cumulants (P. Hall, "Chi Squared Approximations to the Distribution of a Sum of
    /// Independent Random Variables", Annals of Probability 11, 1983; M. J. Buckley, G. K. Eagleson, Australian Journal
    /// of Statistics 30, 1988).
    private static func quantile(_ variances: SIMD3<Double>) -> Double {
        let (first, second) = (variances.sum(), 2 * variances.dot(variances))
        let third = 8 * variances.dot(variances * variances)
        guard second > 0, third > 0 else { return 0 }
        let freedom = 8 * second * second * second / (third * third)
        let quantile = ChiSquared.quantile(Self.share, degreesOfFreedom: freedom)
        return first + second.squareRoot() * (quantile - freedom) / (2 * freedom).squareRoot()
    }
}

extension Tolerance {
    /// Returns whether a difference is within the tolerance, without regard to its uncertainty.
    package func contains(_ difference: CIEDE2000) -> Bool {
        difference.total <= deltaE && abs(difference.lightness) <= lightness ?? .infinity
            && abs(difference.chroma) <= chroma ?? .infinity && abs(difference.hue) <= hue ?? .infinity
    }
}
