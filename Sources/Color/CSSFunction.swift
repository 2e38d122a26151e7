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
