/// Coordinates around a colour in which the distance between two nearby colours is their ΔE00.
///
/// CIEDE2000 is not a distance in a space, but near a colour its weights are constant, and it is a quadratic form of
/// the differences in CIELAB (D. R. Pant, I. Farup, "Riemannian formulation and comparison of color difference
/// formulas", Color Research and Application 37, 2012). Slopes and standard errors need such coordinates, because a
/// difference alone has no direction.
package struct DifferenceSpace: Sendable {
    private let center: CIELab
    private let factor: Double
    private let direction: (cosine: Double, sine: Double)
    /// The weights S_L, S_C and S_H by which CIEDE2000 divides differences of lightness, chroma and hue.
    package let weights: SIMD3<Double>
    private let rotation: Double

    package init(around center: CIELab) {
        self.center = center
        factor = CIEDE2000.factor(of: center, center)
        let a = factor * center.a
        let chroma = (a * a + center.b * center.b).squareRoot()
        let hue = Angle.degrees(a, center.b)
        direction = (Angle.cosine(hue), Angle.sine(hue))
        weights = SIMD3(
            CIEDE2000.lightnessWeight(center.lightness), CIEDE2000.chromaWeight(chroma),
            CIEDE2000.hueWeight(chroma: chroma, hue: hue))
        rotation = CIEDE2000.rotation(chroma: chroma, hue: hue)
    }

    /// Returns the coordinates of a colour: along lightness, and two that combine chroma and hue. Those of the centre
    /// are 0.
    package func coordinates(of color: CIELab) -> SIMD3<Double> {
        let terms = components(of: color) / weights
        // The square root of l² + c² + h² + R c h, the total of CIEDE2000, is the length of this vector.
        return SIMD3(
            terms.x, terms.y + rotation * terms.z / 2, max(0, 1 - rotation * rotation / 4).squareRoot() * terms.z)
    }

    /// Returns the difference of a colour from the centre along lightness, chroma and hue. Near the centre, these are
    /// the ΔL', ΔC' and ΔH' of CIEDE2000.
    package func components(of color: CIELab) -> SIMD3<Double> {
        let (a, b) = (factor * (color.a - center.a), color.b - center.b)
        return SIMD3(
            color.lightness - center.lightness, a * direction.cosine + b * direction.sine,
            b * direction.cosine - a * direction.sine)
    }
}
