@testable import Color

/// A target for texts of CSS colours, each of which must give a finite colour or an error in a sentence.
enum ColorTarget: FuzzTarget {
    static let name = "color"

    static var seeds: [String: [UInt8]] {
        let texts = [
            "hex": "#3fa7d6", "short": "#F80", "name": "RebeccaPurple", "rgb": "rgb(63.5 67% none)",
            "commas": "rgb(63, 167, 214)", "hsl": "hsl(-198.6deg 64.8% 54.3%)", "hwb": "hwb(198.6 24.6% 16.1%)",
            "lab": "lab(64.1 -19.5 -33.2e0)", "lch": "lch(64.1% 38.4 239.6)", "oklab": "oklab(.689 -72e-3 -.091)",
            "oklch": "oklch(0.689 0.116 231.5)", "alpha": "rgb(1 2 3 / 0.5)", "huge": "lab(1e999 -1e308 0)",
            "nested": "rgb(rgb(1 2 3) 2 3)", "color": "color(display-p3 0.9 20% none / 1)",
            "comment": "rgb(255/**/0+5 / 100%)", "turn": "hsla(-.5turn,64%,54%,1)",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lab: CIELab
        do throws(CSSColorError) {
            lab = try CSSColor.parse(text)
        } catch {
            try check(error.description.utf8.count < 200, "an error of \(error.description.utf8.count) bytes")
            try check(error.description.hasSuffix("."), "an error without a period: \(error)")
            try check(error.description.utf8.allSatisfy { 0x20...0x7e ~= $0 }, "an error that repeats text: \(error)")
            return
        }
        try check(
            lab.lightness.isFinite && lab.a.isFinite && lab.b.isFinite, "a colour that is not finite: \(lab)")
        for other in [CIELab(RGB(.black)), CIELab(RGB(.white)), CIELab(RGB(r: 0, g: 0, b: 255)), lab] {
            let (there, back) = (CIEDE2000(lab, other), CIEDE2000(other, lab))
            try check(there.total.isFinite && there.total >= 0, "a difference of \(there.total)")
            try check(abs(there.total - back.total) < 1e-6 * (1 + there.total), "\(there.total) is not \(back.total)")
            try check(there.lightness == -back.lightness, "lightness differs by \(there.lightness), \(back.lightness)")
        }
        try check(
            (try? CSSColor.parse("  \(text.uppercased()) ")) == lab || text.utf8.count > CSSColor.maxLength - 4,
            "case matters")
    }
}
