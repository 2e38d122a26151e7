import Color

/// The notations of CSS in which the colour of a reading can be printed.
package enum ReadingNotation: String, CaseIterable, Sendable {
    case hex, rgb, hsl, hwb, lab, lch, oklab, oklch
}

extension Reading {
    /// Returns the colour as a string which a style sheet accepts; nil if there is no colour.
    package func color(in notation: ReadingNotation) -> String? {
        switch notation {
        case .hex: hex
        case .rgb: rgb.map { "rgb(\($0.r) \($0.g) \($0.b))" }
        case .hsl: color?.css.hsl
        case .hwb: color?.css.hwb
        case .lab: color?.css.lab
        case .lch: color?.css.lch
        case .oklab: color?.css.oklab
        case .oklch: color?.css.oklch
        }
    }
}
