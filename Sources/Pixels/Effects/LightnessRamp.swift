import Color
import Glibc

/// A ramp of 256 evenly spaced colours from dark blue through purple, red and orange to yellow. Lightness rises in
/// equal steps, so that the order is visible even in black-and-white print and to people who cannot distinguish some
/// hues.
///
/// Lightness L*, chroma and hue of CIELAB (CIE 15:2018, 8.2.1) each change linearly, and all colours lie in sRGB.
enum LightnessRamp {
    static let lightness = 10.0...90.0
    static let chroma = 40.0...74.0
    /// The hue in degrees, from blue at 298 through 360 to yellow at 100.
    static let hue = 298.0...460.0

    static let colors: [RGB8] = (0..<256).map { index in
        let fraction = Double(index) / 255
        let angle = value(hue, fraction) * .pi / 180
        let chroma = value(chroma, fraction)
        return color(l: value(lightness, fraction), a: chroma * cos(angle), b: chroma * sin(angle))
    }

    private static func value(_ range: ClosedRange<Double>, _ fraction: Double) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction
    }

    /// Converts CIELAB to XYZ relative to D65 (CIE 15:2018, 8.2.1), to the light of sRGB's primaries (IEC 61966-2-1,
    /// 5.2).
    private static func color(l: Double, a: Double, b: Double) -> RGB8 {
        let middle = (l + 16) / 116
        let x = 0.9505 * tristimulus(middle + a / 500)
        let y = tristimulus(middle)
        let z = 1.0890 * tristimulus(middle - b / 200)
        let color = RGB(
            r: 255 * SRGB.encoded(3.2406 * x - 1.5372 * y - 0.4986 * z),
            g: 255 * SRGB.encoded(-0.9689 * x + 1.8758 * y + 0.0415 * z),
            b: 255 * SRGB.encoded(0.0557 * x - 0.2040 * y + 1.0570 * z))
        return nearest(to: color, luminance: y)
    }

    /// Returns X/Xn, Y/Yn or Z/Zn from its f().
    private static func tristimulus(_ f: Double) -> Double {
        f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29)
    }

    /// Rounds each channel up or down so that the luminance is nearest. One code value of green is more than one step
    /// of the ramp, so rounding each channel to nearest would make lightness rise and fall.
    private static func nearest(to color: RGB, luminance: Double) -> RGB8 {
        let choices = (0..<8).map { choice in
            RGB(
                r: color.r.rounded(choice & 1 == 0 ? .down : .up),
                g: color.g.rounded(choice & 2 == 0 ? .down : .up),
                b: color.b.rounded(choice & 4 == 0 ? .down : .up)
            ).rounded
        }
        return choices.min {
            abs($0.relativeLuminance - luminance) < abs($1.relativeLuminance - luminance)
        } ?? color.rounded
    }
}
