/// A colour in each notation of CSS Color 4, as a string which a style sheet accepts.
///
/// The numbers have enough decimals for the rounding to be invisible, and no zeros at the end. A hue without meaning is
/// `none` (CSS Color 4, 4.4).
package struct CSSNotation: Equatable, Sendable {
    package let hsl: String
    package let hwb: String
    package let lab: String
    package let lch: String
    package let oklab: String
    package let oklch: String

    package init(rgb: RGB, lab: CIELab, oklab: Oklab) {
        self.hsl = Self.hsl(HSL(rgb))
        self.hwb = Self.hwb(HWB(rgb))
        self.lab = "lab(\(Self.number(lab.lightness, 1)) \(Self.number(lab.a, 1)) \(Self.number(lab.b, 1)))"
        self.lch = "lch(\(Self.polar(lab.polar, decimals: 1)))"
        self.oklab = "oklab(\(Self.number(oklab.lightness, 3)) \(Self.number(oklab.a, 3)) \(Self.number(oklab.b, 3)))"
        self.oklch = "oklch(\(Self.polar(oklab.polar, decimals: 3)))"
    }

    private static func hsl(_ color: HSL) -> String {
        let lightness = number(color.lightness * 100, 1)
        // Close to black and white, noise alone makes a colour appear saturated.
        let isEnd = lightness == "0" || lightness == "100"
        let saturation = isEnd ? "0" : number(color.saturation * 100, 1)
        let hue = saturation == "0" ? "none" : degrees(color.hue)
        return "hsl(\(hue) \(saturation)% \(lightness)%)"
    }

    private static func hwb(_ color: HWB) -> String {
        let (whiteness, blackness) = (number(color.whiteness * 100, 1), number(color.blackness * 100, 1))
        // Whether the colour is grey once rounded to these decimals.
        let isGrey = tenths(color.whiteness * 100) + tenths(color.blackness * 100) >= 1000
        return "hwb(\(isGrey ? "none" : degrees(color.hue)) \(whiteness)% \(blackness)%)"
    }

    private static func polar(_ color: PolarColor, decimals: Int) -> String {
        let chroma = number(color.chroma, decimals)
        let hue = chroma == "0" ? "none" : degrees(color.hue)
        return "\(number(color.lightness, decimals)) \(chroma) \(hue)"
    }

    /// Writes an angle in degrees. One that is rounded to 360 becomes 0.
    private static func degrees(_ hue: Double) -> String {
        let text = number(hue, 1)
        return text == "360" ? "0" : text
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() }

    /// Writes a number, rounded to this many decimals, without zeros at the end and never as -0.
    static func number(_ value: Double, _ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value * Double(scale)).rounded()
        guard scaled.magnitude < 1e15 else { return "0" }
        let whole = Int(scaled.magnitude)
        var text = scaled < 0 ? "-" : ""
        text += String(whole / scale)
        var rest = whole % scale
        if rest > 0 { text += "." }
        while rest > 0 {
            scale /= 10
            text += String(rest / scale)
            rest %= scale
        }
        return text
    }
}
