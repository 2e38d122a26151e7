import Glibc

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
