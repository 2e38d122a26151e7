import Glibc

/// The correlated colour temperature of a near-white light, and its distance from the light of a black body.
package struct CorrelatedColorTemperature: Equatable, Sendable {
    /// The range of results in kelvins.
    ///
    /// Within it, they differ from those of a search along the Planckian locus by less than 5 % while |Duv| is up to
    /// 0.02, and by less than 9 % at 0.05; Duv differs by less than 0.001. Outside, both formulas fail.
    private static let range = 2000.0...12_500
    /// The largest |Duv| at which a light still has a colour temperature (CIE 15:2004, 9.5).
    private static let maxDuv = 0.05
    /// The n of the lowest temperature that the polynomial reaches: the smaller root of -1347n² + 7050n - 6823.3.
    /// Beyond it, redder lights would have higher temperatures again.
    private static let turningPoint = 1.2817

    /// The temperature in kelvins (C. S. McCamy, "Correlated color temperature as an explicit function of chromaticity
    /// coordinates", Color Research and Application 17, 1992).
    package let kelvins: Double
    /// The distance Duv from the Planckian locus in the CIE 1960 diagram, above 0 on the green side and below 0 on the
    /// pink side (Y. Ohno, "Practical Use and Calculation of CCT and Duv", LEUKOS 10, 2014).
    package let duv: Double

    /// - Returns: Nil if the chromaticity is too far from white, or its temperature outside 2000...12,500 K.
    package init?(_ chromaticity: Chromaticity) {
        let (x, y) = (chromaticity.x, chromaticity.y)
        guard y > 0.1858 else { return nil }
        let n = (x - 0.3320) / (y - 0.1858)
        kelvins = ((-449 * n + 3525) * n - 6823.3) * n + 5520.33
        guard n < Self.turningPoint, Self.range.contains(kelvins) else { return nil }

        let scale = -2 * x + 12 * y + 3
        let (u, v) = (4 * x / scale, 6 * y / scale)
        let distance = hypot(u - 0.292, v - 0.24)
        // In this range v is above 0.24, so the arc cosine is the angle.
        let angle = acos((u - 0.292) / distance)
        let coefficients = [-0.00616793, 0.0893944, -0.5179722, 1.5317403, -2.4243787, 1.925865, -0.471106]
        duv = distance - coefficients.reduce(0) { $0 * angle + $1 }
        guard abs(duv) <= Self.maxDuv else { return nil }
    }
}
