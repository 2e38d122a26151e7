import Glibc

/// The difference of two colours by CIEDE2000.
///
/// G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test
/// Data, and Mathematical Observations", Color Research and Application 30 (2005). Numbers in parentheses are its
/// equations.
package struct CIEDE2000: Equatable, Sendable {
    /// The difference ΔE00. A difference of about 1 is just visible side by side.
    package let total: Double
    /// The difference of lightness, ΔL' (8): positive if the second colour is lighter.
    package let lightness: Double
    /// The difference of chroma, ΔC' (9): positive if the second colour is more colourful.
    package let chroma: Double
    /// The difference of hue, ΔH' (11): positive if the hue angle of the second colour is greater.
    package let hue: Double

    package init(_ one: CIELab, _ two: CIELab) {
        let factor = Self.factor(of: one, two)
        let (a1, a2) = (factor * one.a, factor * two.a)
        let (c1, c2) = ((a1 * a1 + one.b * one.b).squareRoot(), (a2 * a2 + two.b * two.b).squareRoot())
        let (h1, h2) = (Angle.degrees(a1, one.b), Angle.degrees(a2, two.b))
        let isColorful = c1 * c2 != 0

        // (10): the shorter way around the circle of hues.
        var dh = isColorful ? h2 - h1 : 0
        if dh > 180 { dh -= 360 } else if dh < -180 { dh += 360 }
        lightness = two.lightness - one.lightness
        chroma = c2 - c1
        hue = 2 * (c1 * c2).squareRoot() * Angle.sine(dh / 2)

        // (14): the mean hue lies on the shorter arc between the two. If a colour is grey, its hue is 0 and h is that
        // of the other.
        var h = h1 + h2
        if isColorful {
            if abs(h1 - h2) > 180 { h += h < 360 ? 360 : -360 }
            h /= 2
        }
        let c = (c1 + c2) / 2
        let rotation = Self.rotation(chroma: c, hue: h)
        let l = lightness / Self.lightnessWeight((one.lightness + two.lightness) / 2)
        let k = chroma / Self.chromaWeight(c)
        let hk = hue / Self.hueWeight(chroma: c, hue: h)
        total = max(0, l * l + k * k + hk * hk + rotation * k * hk).squareRoot()  // (22)
    }

    /// Returns a lower bound of the square of the difference, which takes much less time to compute.
    ///
    /// R_T is -√3...0, so that the terms of chroma and hue in (22) are at least 1 - √3 / 2 of the sum of their squares.
    /// S_H never exceeds S_C, and ΔC'² + ΔH'² is the square of the distance in the plane of a' and b*.
    package static func minSquare(_ one: CIELab, _ two: CIELab) -> Double {
        let l = (two.lightness - one.lightness) / lightnessWeight((one.lightness + two.lightness) / 2)
        let factor = factor(of: one, two)
        let (a1, a2) = (factor * one.a, factor * two.a)
        let c = ((a1 * a1 + one.b * one.b).squareRoot() + (a2 * a2 + two.b * two.b).squareRoot()) / 2
        let (a, b, weight) = (a2 - a1, two.b - one.b, chromaWeight(c))
        return l * l + 0.133974 * (a * a + b * b) / (weight * weight)
    }

    /// Returns the factor 1 + G by which a* is multiplied (4), (5).
    static func factor(of one: CIELab, _ two: CIELab) -> Double {
        let mean = ((one.a * one.a + one.b * one.b).squareRoot() + (two.a * two.a + two.b * two.b).squareRoot()) / 2
        return 1 + 0.5 * (1 - share(of: mean))
    }

    /// Returns the square root of c⁷ / (c⁷ + 25⁷), in (4) and (17).
    private static func share(of chroma: Double) -> Double {
        let third = chroma * chroma * chroma
        let seventh = third * third * chroma
        return (seventh / (seventh + 6_103_515_625)).squareRoot()
    }

    /// The greatest S_L, that of black and white.
    static let maxLightnessWeight = 1.75

    /// Returns S_L (18).
    static func lightnessWeight(_ mean: Double) -> Double {
        let square = (mean - 50) * (mean - 50)
        return 1 + 0.015 * square / (20 + square).squareRoot()
    }

    /// Returns S_C (19).
    static func chromaWeight(_ mean: Double) -> Double { 1 + 0.045 * mean }

    /// Returns S_H (20).
    static func hueWeight(chroma c: Double, hue h: Double) -> Double {
        // (15), with the cosines of sums and multiples of h from those of h, which takes half the time.
        let (cosine, sine) = (Angle.cosine(h), Angle.sine(h))
        let (cosine2, sine2) = (cosine * cosine - sine * sine, 2 * sine * cosine)
        let (cosine3, sine3) = (cosine2 * cosine - sine2 * sine, sine2 * cosine + cosine2 * sine)
        let (cosine4, sine4) = (cosine2 * cosine2 - sine2 * sine2, 2 * sine2 * cosine2)
        let t =
            1 - 0.17 * (cosine * cosine30 + sine * sine30) + 0.24 * cosine2 + 0.32 * (cosine3 * cosine6 - sine3 * sine6)
            - 0.20 * (cosine4 * cosine63 + sine4 * sine63)
        return 1 + 0.015 * c * t
    }

    private static let (cosine30, sine30) = (Angle.cosine(30), Angle.sine(30))
    private static let (cosine6, sine6) = (Angle.cosine(6), Angle.sine(6))
    private static let (cosine63, sine63) = (Angle.cosine(63), Angle.sine(63))

    /// Returns R_T (21), with R_C and Δθ from (17) and (16).
    static func rotation(chroma c: Double, hue h: Double) -> Double {
        let turn = (h - 275) / 25
        return -Angle.sine(60 * exp(-turn * turn)) * 2 * share(of: c)
    }
}
