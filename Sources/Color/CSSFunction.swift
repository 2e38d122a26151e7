/// A functional notation of CSS Color 4 that can be parsed.
enum CSSFunction: String, CaseIterable {
    case rgb, hsl, hwb, lab, lch, oklab, oklch

    /// All notations in one list, for messages.
    static let list =
        allCases.dropLast().map { "\($0.rawValue)()" }.joined(separator: ", ") + " and \(oklch.rawValue)()"

    /// Whether the notation may also be written with commas, as in CSS 3 (CSS Color 4, 4.1.2).
    var allowsCommas: Bool { self == .rgb || self == .hsl }

    /// The components in their order. CSS allows any a, b and chroma; these ranges contain every visible colour.
    var components: [CSSComponent] {
        switch self {
        case .rgb: ["red", "green", "blue"].map { CSSComponent(name: $0, range: 0...255, hundredPercent: 255) }
        case .hsl: [.hue, .percentage("saturation"), .percentage("lightness")]
        case .hwb: [.hue, .percentage("whiteness"), .percentage("blackness")]
        case .lab: [.percentage("lightness"), .axis("a", 200, 125), .axis("b", 200, 125)]
        case .lch: [.percentage("lightness"), CSSComponent(name: "chroma", range: 0...300, hundredPercent: 150), .hue]
        case .oklab: [.unit("lightness"), .axis("a", 1, 0.4), .axis("b", 1, 0.4)]
        case .oklch: [.unit("lightness"), CSSComponent(name: "chroma", range: 0...1, hundredPercent: 0.4), .hue]
        }
    }

    /// Returns the colour with these components, given in the units of ``components``.
    func color(_ first: Double, _ second: Double, _ third: Double) -> CIELab {
        switch self {
        case .rgb: return CIELab(RGB(r: first, g: second, b: third))
        case .hsl: return CIELab(HSL(hue: first, saturation: second / 100, lightness: third / 100).rgb)
        case .hwb: return CIELab(HWB(hue: first, whiteness: second / 100, blackness: third / 100).rgb)
        case .lab: return CIELab(lightness: first, a: second, b: third)
        case .lch:
            let (a, b) = PolarColor(lightness: first, chroma: second, hue: third).rectangular
            return CIELab(lightness: first, a: a, b: b)
        case .oklab: return CIELab(Oklab(lightness: first, a: second, b: third).xyz)
        case .oklch:
            let (a, b) = PolarColor(lightness: first, chroma: second, hue: third).rectangular
            return CIELab(Oklab(lightness: first, a: a, b: b).xyz)
        }
    }
}

/// A component of a functional notation, with its name for messages.
struct CSSComponent {
    var name: String
    /// The values that are accepted, after a percentage has been converted.
    var range: ClosedRange<Double>
    /// The value of 100 %; nil for a hue, which is an angle.
    var hundredPercent: Double?

    /// A hue in degrees. Hues are periodic, so any angle is valid; the limit keeps them exact.
    static let hue = CSSComponent(name: "hue", range: -36_000...36_000, hundredPercent: nil)

    static func percentage(_ name: String) -> CSSComponent {
        CSSComponent(name: name, range: 0...100, hundredPercent: 100)
    }

    static func unit(_ name: String) -> CSSComponent { CSSComponent(name: name, range: 0...1, hundredPercent: 1) }

    static func axis(_ name: String, _ limit: Double, _ hundredPercent: Double) -> CSSComponent {
        CSSComponent(name: name, range: -limit...limit, hundredPercent: hundredPercent)
    }

    /// Returns a hue reduced to 0...360 degrees, or the value of any other component unchanged.
    func normalized(_ value: Double) -> Double {
        guard hundredPercent == nil else { return value }
        let rest = value.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}

/// A number as CSS writes it (CSS Syntax 3, 4.3.12): no infinity, no hexadecimal, and a digit after each point.
enum CSSNumber {
    /// Parses a number; nil for any other text. The result is infinite if the number exceeds the range of `Double`.
    static func parse(_ text: Substring) -> Double? {
        var rest = text.utf8[...]
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = digits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits(&rest) > 0 else { return nil }
        } else if whole == 0 {
            return nil
        }
        if rest.first == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            guard digits(&rest) > 0 else { return nil }
        }
        return rest.isEmpty ? Double(text) : nil
    }

    /// Removes the digits at the start, and returns how many there were.
    private static func digits(_ text: inout Substring.UTF8View) -> Int {
        let count = text.prefix { 0x30...0x39 ~= $0 }.count
        text = text.dropFirst(count)
        return count
    }
}
