import Glibc

/// A colour in the polar coordinates of CIELAB or Oklab: LCH or OkLCh (CSS Color 4, 9).
package struct PolarColor: Equatable, Sendable {
    /// The lightness, on the scale of the space.
    package var lightness: Double
    /// The distance from grey, on the scale of the space.
    package var chroma: Double
    /// The angle from the axis a, in degrees, 0..<360. It means nothing if the chroma is practically 0.
    package var hue: Double
}

extension PolarColor {
    init(lightness: Double, a: Double, b: Double) {
        self.init(lightness: lightness, chroma: (a * a + b * b).squareRoot(), hue: Angle.degrees(a, b))
    }

    /// The components a and b.
    var rectangular: (a: Double, b: Double) { (chroma * Angle.cosine(hue), chroma * Angle.sine(hue)) }
}

/// Trigonometry in degrees.
enum Angle {
    /// Returns the angle of a point, 0..<360; 0 for the origin.
    static func degrees(_ x: Double, _ y: Double) -> Double {
        let degrees = atan2(y, x) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees + 0
    }

    static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
}
