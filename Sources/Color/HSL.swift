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

/// The hue of a colour of sRGB, and its least and greatest channel, 0...1, which HSL and HWB share.
struct HueAndRange {
    /// The hue in degrees, 0..<360; 0 for a grey.
    let hue: Double
    let min: Double
    let max: Double

    init(_ rgb: RGB) {
        let (r, g, b) = (rgb.r / 255, rgb.g / 255, rgb.b / 255)
        let (min, max) = (Swift.min(r, g, b), Swift.max(r, g, b))
        let range = max - min
        let sextant: Double
        if range == 0 {
            sextant = 0
        } else if max == r {
            sextant = (g - b) / range + (g < b ? 6 : 0)
        } else if max == g {
            sextant = (b - r) / range + 2
        } else {
            sextant = (r - g) / range + 4
        }
        (hue, self.min, self.max) = (60 * sextant, min, max)
    }
}
