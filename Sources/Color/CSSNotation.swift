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
        self.lab = Self.text("lab(", (lab.lightness, lab.a, lab.b), decimals: 1)
        self.lch = Self.polar("lch(", lab.polar, decimals: 1)
        self.oklab = Self.text("oklab(", (oklab.lightness, oklab.a, oklab.b), decimals: 3)
        self.oklch = Self.polar("oklch(", oklab.polar, decimals: 3)
    }

    private static func hsl(_ color: HSL) -> String {
        let lightness = tenths(color.lightness * 100)
        // Close to black and white, noise alone makes a colour appear saturated.
        let saturation = lightness == 0 || lightness == 1000 ? 0 : color.saturation * 100
        var text = CSSText("hsl(")
        text.add(hue: tenths(saturation) == 0 ? nil : color.hue)
        text.add(saturation, decimals: 1, "% ")
        text.add(color.lightness * 100, decimals: 1, "%)")
        return text.string
    }

    private static func hwb(_ color: HWB) -> String {
        let (whiteness, blackness) = (color.whiteness * 100, color.blackness * 100)
        var text = CSSText("hwb(")
        // Whether the colour is grey once rounded to these decimals.
        text.add(hue: tenths(whiteness) + tenths(blackness) >= 1000 ? nil : color.hue)
        text.add(whiteness, decimals: 1, "% ")
        text.add(blackness, decimals: 1, "%)")
        return text.string
    }

    private static func text(_ start: String, _ numbers: (Double, Double, Double), decimals: Int) -> String {
        var text = CSSText(start)
        text.add(numbers.0, decimals: decimals, " ")
        text.add(numbers.1, decimals: decimals, " ")
        text.add(numbers.2, decimals: decimals, ")")
        return text.string
    }

    private static func polar(_ start: String, _ color: PolarColor, decimals: Int) -> String {
        var text = CSSText(start)
        text.add(color.lightness, decimals: decimals, " ")
        let isGrey = !text.add(color.chroma, decimals: decimals, " ")
        text.add(hue: isGrey ? nil : color.hue, ")")
        return text.string
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() }

    /// Writes a number, rounded to this many decimals, without zeros at the end and never as -0.
    package static func number(_ value: Double, _ decimals: Int) -> String {
        var text = CSSText("")
        text.add(value, decimals: decimals, "")
        return text.string
    }
}

/// A text in ASCII that is written piece by piece.
private struct CSSText {
    private var bytes: [UInt8] = []

    init(_ start: String) {
        bytes.reserveCapacity(40)
        bytes.append(contentsOf: start.utf8)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes an angle in degrees, or `none`. One that is rounded to 360 becomes 0.
    mutating func add(hue: Double?, _ end: String = " ") {
        if let hue {
            add(hue < 359.95 ? hue : 0, decimals: 1, end)
        } else {
            bytes.append(contentsOf: "none".utf8)
            bytes.append(contentsOf: end.utf8)
        }
    }

    /// Writes a number, rounded to this many decimals, without zeros at the end and never as -0, and a text after it.
    /// - Returns: Whether the rounded number is not 0.
    @discardableResult
    mutating func add(_ value: Double, decimals: Int, _ end: String) -> Bool {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        var scaled = (value * Double(scale)).rounded()
        if !(scaled.magnitude < 1e15) { scaled = 0 }
        var (whole, rest) = Int(scaled.magnitude).quotientAndRemainder(dividingBy: scale)
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(whole)
        if rest > 0 { bytes.append(UInt8(ascii: ".")) }
        while rest > 0 {
            scale /= 10
            (whole, rest) = rest.quotientAndRemainder(dividingBy: scale)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole))
        }
        bytes.append(contentsOf: end.utf8)
        return scaled != 0
    }

    private mutating func digits(_ value: Int) {
        if value > 9 { digits(value / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }
}
