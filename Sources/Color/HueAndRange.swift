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
