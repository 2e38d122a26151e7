import Glibc

/// A colour in Oklab (CSS Color 4, 9).
package struct Oklab: Equatable, Sendable {
    /// The lightness, 0 for black, 1 for white.
    package var lightness: Double
    /// The component from green to red.
    package var a: Double
    /// The component from blue to yellow.
    package var b: Double

    package init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    package init(_ xyz: XYZ) {
        let (l, m, s) = Self.toCones * (xyz.x, xyz.y, xyz.z)
        let (lightness, a, b) = Self.fromRoots * (cbrt(l), cbrt(m), cbrt(s))
        self.init(lightness: lightness, a: a, b: b)
    }

    /// The same colour in polar coordinates, OkLCh.
    package var polar: PolarColor { PolarColor(lightness: lightness, a: a, b: b) }

    package var xyz: XYZ {
        let (l, m, s) = Self.toRoots * (lightness, a, b)
        let (x, y, z) = Self.fromCones * (l * l * l, m * m * m, s * s * s)
        return XYZ(x: x, y: y, z: z)
    }

    /// From XYZ to the responses of the cones (CSS Color 4, 18, `XYZ_to_OKLab`).
    private static let toCones = Matrix(
        (0.8190224379967030, 0.3619062600528904, -0.1288737815209879),
        (0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
        (0.0481771893596242, 0.2642395317527308, 0.6335478284694309))

    /// From the cube roots of these to Oklab (CSS Color 4, 18, `XYZ_to_OKLab`).
    private static let fromRoots = Matrix(
        (0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
        (1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
        (0.0259040424655478, 0.7827717124575296, -0.8086757549230774))

    /// From Oklab to the cube roots (CSS Color 4, 18, `OKLab_to_XYZ`).
    private static let toRoots = Matrix(
        (1, 0.3963377773761749, 0.2158037573099136),
        (1, -0.1055613458156586, -0.0638541728258133),
        (1, -0.0894841775298119, -1.2914855480194092))

    /// From the responses of the cones to XYZ (CSS Color 4, 18, `OKLab_to_XYZ`).
    private static let fromCones = Matrix(
        (1.2268798758459243, -0.5578149944602171, 0.2813910456659647),
        (-0.0405757452148008, 1.1122868032803170, -0.0717110580655164),
        (-0.0763729366746601, -0.4214933324022432, 1.5869240198367816))
}
