import Glibc

/// The lamp over the test pattern, whose brightness and colour change slowly.
enum Lamp {
    /// The time after which the lamp repeats itself, in seconds.
    static let period = 60.0

    /// The gains on the linear light of the three channels.
    struct Gains: Equatable {
        var red: Double
        var green: Double
        var blue: Double
    }

    /// Returns the gains at a time after the start, in seconds.
    ///
    /// All are 1 at the beginning of each cycle. The lamp dims to half its brightness and back, and is warm on the way
    /// down and cool on the way up.
    static func gains(at seconds: Double) -> Gains {
        let angle = 2 * Double.pi * (seconds / period - (seconds / period).rounded(.down))
        let brightness = 0.75 + 0.25 * cos(angle)
        let warmth = 0.2 * sin(angle)
        return Gains(red: brightness * (1 + warmth), green: brightness, blue: brightness * (1 - warmth))
    }
}
