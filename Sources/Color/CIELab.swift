import Glibc

/// A colour in CIELAB relative to the white point D50, of the 1931 2° observer, as CSS Color 4 and ICC profiles define
/// it.
package struct CIELab: Equatable, Sendable {
    /// The lightness L*, 0 for black, 100 for white.
    package var lightness: Double
    /// The component a*, from green to red.
    package var a: Double
    /// The component b*, from blue to yellow.
    package var b: Double

    package init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts a colour, adapting it from D65 to D50.
    package init(_ xyz: XYZ) {
        let (x, y, z) = Self.adaptation * (xyz.x, xyz.y, xyz.z)
        self.init(d50X: x, y: y, z: z)
    }

    /// Converts CIE XYZ that is relative to D50 already, with Y = 1 for white.
    package init(d50X x: Double, y: Double, z: Double) {
        let (fx, fy, fz) = (Self.f(x / Self.white.x), Self.f(y), Self.f(z / Self.white.z))
        self.init(lightness: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz))
    }

    package init(_ rgb: RGB) {
        self.init(XYZ(rgb))
    }

    package init(_ light: LinearRGB) { self.init(XYZ(light)) }

    /// The colour adapted from D50 to D65 (CSS Color 4, 18, `Lab_to_XYZ`).
    var xyz: XYZ {
        func power(_ f: Double) -> Double { f > 6.0 / 29 ? f * f * f : (116 * f - 16) * 27 / 24_389 }
        let fy = (lightness + 16) / 116
        let (x, y, z) =
            Self.adaptationToD65 * (
                Self.white.x * power(a / 500 + fy), power(fy), Self.white.z * power(fy - b / 200)
            )
        return XYZ(x: x, y: y, z: z)
    }

    /// The same colour in polar coordinates, LCH.
    package var polar: PolarColor { PolarColor(lightness: lightness, a: a, b: b) }

    /// X and Z of D50, from its chromaticity 0.3457, 0.3585 (CSS Color 4, 18, `D50`).
    private static let white = (x: 0.3457 / 0.3585, z: (1 - 0.3457 - 0.3585) / 0.3585)

    /// The linear Bradford transform from D65 to D50 (CSS Color 4, 18, `D65_to_D50`).
    private static let adaptation = Matrix(
        (1.0479297925449969, 0.022946870601609652, -0.05019226628920524),
        (0.02962780877005599, 0.9904344267538799, -0.017073799063418826),
        (-0.009243040646204504, 0.015055191490298152, 0.7518742814281371))

    /// The linear Bradford transform from D50 to D65 (CSS Color 4, 18, `D50_to_D65`).
    private static let adaptationToD65 = Matrix(
        (0.955473421488075, -0.02309845494876471, 0.06325924320057072),
        (-0.0283697093338637, 1.0099953980813041, 0.021041441191917323),
        (0.012314014864481998, -0.020507649298898964, 1.330365926242124))

    /// Returns f of CIE 15:2004, 8.2.1, with its constants as exact fractions, ε = 216 / 24389 and κ = 24389 / 27 (CSS
    /// Color 4, 18, `XYZ_to_Lab`).
    private static func f(_ t: Double) -> Double {
        t > 216 / 24_389 ? cbrt(t) : (24_389 / 27 * t + 16) / 116
    }
}

extension CIELab: Codable {
    private enum CodingKeys: String, CodingKey { case lightness = "l", a, b }
}

extension CIELab {
    package var vector: SIMD3<Double> { SIMD3(lightness, a, b) }

    package init(_ vector: SIMD3<Double>) { self.init(lightness: vector.x, a: vector.y, b: vector.z) }

    /// Returns the difference by the formula of 1976, the distance in CIELAB (CIE 15:2004, 8.2.1).
    package func deltaE76(to other: CIELab) -> Double {
        (other.vector - vector).length
    }
}

extension SIMD3<Double> {
    package func dot(_ other: Self) -> Double { (self * other).sum() }

    package var length: Double { dot(self).squareRoot() }
}
