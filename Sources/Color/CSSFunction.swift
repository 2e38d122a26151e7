/// A functional notation of CSS Color 4.
enum CSSFunction: String, CaseIterable {
    case rgb, hsl, hwb, lab, lch, oklab, oklch, color

    /// Finds a notation by its name. `rgba` and `hsla` are old names of `rgb` and `hsl` (CSS Color 4, 5.1, 7).
    init?(name: String) {
        self.init(rawValue: name == "rgba" || name == "hsla" ? String(name.dropLast()) : name)
    }

    /// All notations in one list, for messages.
    static let list =
        allCases.dropLast().map { "\($0.rawValue)()" }.joined(separator: ", ") + " and \(color.rawValue)()"

    /// Whether the notation may also be written with commas, as in CSS 3 (CSS Color 4, 4.1.2).
    var allowsCommas: Bool { self == .rgb || self == .hsl }

    /// The components in their order, with the ranges that each notation clamps them to (CSS Color 4, 5.1, 7, 9.3,
    /// 9.4).
    /// - Parameter space: The space that `color()` names.
    func components(in space: CSSColorSpace) -> [CSSComponent] {
        switch self {
        case .rgb: ["red", "green", "blue"].map { CSSComponent($0, 255, clampedTo: 0...255) }
        case .hsl: [.hue, CSSComponent("saturation", 100, clampedTo: 0 ... .infinity), CSSComponent("lightness", 100)]
        case .hwb: [.hue, CSSComponent("whiteness", 100), CSSComponent("blackness", 100)]
        case .lab: [.lightness(100), CSSComponent("a", 125), CSSComponent("b", 125)]
        case .lch: [.lightness(100), .chroma(150), .hue]
        case .oklab: [.lightness(1), CSSComponent("a", 0.4), CSSComponent("b", 0.4)]
        case .oklch: [.lightness(1), .chroma(0.4), .hue]
        case .color: space.components.map { CSSComponent($0, 1) }
        }
    }

    /// Returns the colour with these components, given in the units of ``components(in:)``.
    func color(_ first: Double, _ second: Double, _ third: Double, in space: CSSColorSpace) -> CIELab {
        // hsl() and hwb() are other notations of rgb(), which clamps (CSS Color 4, 5.1, 14.1).
        func clamped(_ rgb: RGB) -> CIELab { CIELab(rgb.map { min(max($0, 0), 255) }) }
        switch self {
        case .rgb: return CIELab(RGB(r: first, g: second, b: third))
        case .hsl: return clamped(HSL(hue: first, saturation: second / 100, lightness: third / 100).rgb)
        case .hwb: return clamped(HWB(hue: first, whiteness: second / 100, blackness: third / 100).rgb)
        case .lab: return CIELab(lightness: first, a: second, b: third)
        case .lch:
            let (a, b) = PolarColor(lightness: first, chroma: second, hue: third).rectangular
            return CIELab(lightness: first, a: a, b: b)
        case .oklab: return CIELab(Oklab(lightness: first, a: second, b: third).xyz)
        case .oklch:
            let (a, b) = PolarColor(lightness: first, chroma: second, hue: third).rectangular
            return CIELab(Oklab(lightness: first, a: a, b: b).xyz)
        case .color: return space.color(first, second, third)
        }
    }
}

/// A component of a functional notation, with its name for messages.
struct CSSComponent {
    let name: String
    /// The value of 100 %; nil for a hue, which is an angle.
    let hundredPercent: Double?
    /// The values to which others are clamped.
    private let range: ClosedRange<Double>

    init(_ name: String, _ hundredPercent: Double?, clampedTo range: ClosedRange<Double> = -.infinity ... .infinity) {
        (self.name, self.hundredPercent, self.range) = (name, hundredPercent, range)
    }

    static let hue = CSSComponent("hue", nil)

    static func lightness(_ white: Double) -> CSSComponent { CSSComponent("lightness", white, clampedTo: 0...white) }

    static func chroma(_ hundredPercent: Double) -> CSSComponent {
        CSSComponent("chroma", hundredPercent, clampedTo: 0 ... .infinity)
    }

    /// Returns the value that a token stands for; nil if it stands for none.
    func value(of token: CSSToken) -> Double? {
        switch (token, hundredPercent) {
        case (.number(let number), .some): clamped(number)
        case (.percentage(let percentage), let hundredPercent?): clamped(percentage / 100 * hundredPercent)
        case (.number(let number), nil): Self.hue(number)
        case (.dimension(let number, let unit), nil): Self.degrees[unit].map { Self.hue(number * $0) }
        default: nil
        }
    }

    private func clamped(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }

    /// Returns an angle in degrees within 0..<360.
    private static func hue(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }

    /// The units of angles in degrees (CSS Values 4, 7.1).
    private static let degrees = ["deg": 1, "grad": 0.9, "rad": 180 / Double.pi, "turn": 360]
}
