/// A colour of sRGB as hue, whiteness and blackness (CSS Color 4, 8).
package struct HWB: Equatable, Sendable {
    /// The hue in degrees, 0..<360. It means nothing if whiteness and blackness add up to 1.
    package var hue: Double
    /// The whiteness, 0...1.
    package var whiteness: Double
    /// The blackness, 0...1.
    package var blackness: Double

    package init(hue: Double, whiteness: Double, blackness: Double) {
        self.hue = hue
        self.whiteness = whiteness
        self.blackness = blackness
    }

    /// Converts a colour (CSS Color 4, 8.2).
    package init(_ rgb: RGB) {
        let hueAndRange = HueAndRange(rgb)
        self.init(hue: hueAndRange.hue, whiteness: hueAndRange.min, blackness: 1 - hueAndRange.max)
    }

    /// The colour in sRGB (CSS Color 4, 8.1).
    package var rgb: RGB {
        let sum = whiteness + blackness
        guard sum < 1 else { return RGB(all: 255 * whiteness / sum) }
        return HSL(hue: hue, saturation: 1, lightness: 0.5).rgb.map { $0 * (1 - sum) + 255 * whiteness }
    }
}
