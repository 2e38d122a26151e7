/// A colour of sRGB as hue, saturation and lightness (CSS Color 4, 7).
package struct HSL: Equatable, Sendable {
    /// The hue in degrees, 0..<360. It means nothing if the saturation is 0.
    package var hue: Double
    /// The saturation, 0...1.
    package var saturation: Double
    /// The lightness, 0...1.
    package var lightness: Double

    package init(hue: Double, saturation: Double, lightness: Double) {
        self.hue = hue
        self.saturation = saturation
        self.lightness = lightness
    }

    /// Converts a colour (CSS Color 4, 7.2).
    package init(_ rgb: RGB) {
        let hueAndRange = HueAndRange(rgb)
        let lightness = (hueAndRange.min + hueAndRange.max) / 2
        let room = min(lightness, 1 - lightness)
        self.init(
            hue: hueAndRange.hue, saturation: room > 0 ? (hueAndRange.max - lightness) / room : 0, lightness: lightness)
    }

    /// The colour in sRGB (CSS Color 4, 7.1).
    package var rgb: RGB {
        let amplitude = saturation * min(lightness, 1 - lightness)
        func channel(_ offset: Double) -> Double {
            let k = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            return 255 * (lightness - amplitude * max(-1, min(k - 3, 9 - k, 1)))
        }
        return RGB(r: channel(0), g: channel(8), b: channel(4))
    }
}
