package import Color
package import Documents
package import Palettes
import Untrusted

extension Reading {
    /// The mean in other notations and in words; nil if there is no colour.
    package var color: ColorDetails? {
        mean.map { ColorDetails($0, isDistorted: quality?.isColorDistorted ?? false, palette: palette) }
    }

    /// A colour in several notations and spaces, and its name, all computed from the unrounded colour at each access,
    /// because most readings are never encoded.
    package struct ColorDetails: Equatable, Sendable {
        /// The nearest of CSS's named colours, its difference, and a description in plain words.
        package struct Name: Equatable, Sendable {
            package var css: String
            /// The difference by CIEDE2000.
            package var deltaE: Double
            package var plain: String
        }

        let rgb: RGB
        package let xyz: XYZ
        package let lab: CIELab
        private let isDistorted: Bool
        private let entries: Palette?

        /// - Parameters:
        ///   - isDistorted: Whether the balance of the channels is not to be trusted.
        ///   - palette: The configured palette.
        package init(_ rgb: RGB, isDistorted: Bool = false, palette: Palette? = nil) {
            (self.rgb, self.isDistorted, entries) = (rgb, isDistorted, palette)
            xyz = XYZ(rgb)
            lab = CIELab(xyz)
        }

        /// Strings for style sheets.
        package var css: CSSNotation { CSSNotation(rgb: rgb, lab: lab, oklab: oklab) }
        package var hsl: HSL { HSL(rgb) }
        package var hwb: HWB { HWB(rgb) }
        package var oklab: Oklab { Oklab(xyz) }
        /// The chromaticity; nil for black, which has none.
        package var xy: Chromaticity? { xyz.chromaticity }
        /// The colour temperature; nil if the colour is distorted, or not nearly white.
        package var temperature: CorrelatedColorTemperature? {
            isDistorted ? nil : xy.flatMap(CorrelatedColorTemperature.init)
        }
        package var name: Name {
            let nearest = NamedColor.nearest(to: lab)
            return Name(css: nearest.color.name, deltaE: nearest.difference, plain: rgb.plainDescription)
        }
        /// The nearest entry of the palette; nil if there is no palette.
        package var palette: Palette.Match? { entries?.nearest(to: lab) }
    }
}

extension Reading.ColorDetails: JSONFields {
    package static let fields = JSONFieldList<Self>(
        [
            .object(
                "css",
                "The same colour in notations of CSS Color 4, rounded so that the difference is invisible. The hue "
                    + "of what looks grey is `none`.", CSSNotation.fields
            ) { $0.css },
            .object("hsl", "Hue, saturation and lightness, to four decimals.", HSL.fields) { $0.hsl },
            .object("hwb", "Hue, whiteness and blackness, to four decimals.", HWB.fields) { $0.hwb },
            .value("lab", CIELab.schema, "CIELAB, D50, adapted by Bradford's transform, to four decimals.") { $0.lab },
            .object(
                "lch", "CIELAB in polar coordinates, to four decimals.",
                PolarColor.fields(decimals: 4, "The lightness L*, 0...100.")
            ) { $0.lab.polar },
            .object("name", "", Name.fields) { $0.name },
            .object("oklab", "Oklab, to six decimals.", Oklab.fields) { $0.oklab },
            .object(
                "oklch", "Oklab in polar coordinates, to six decimals; the hue to four.",
                PolarColor.fields(decimals: 6, "The lightness, 0...1.")
            ) { $0.oklab.polar },
            .value(
                "palette", Palette.Match.schema.orNull,
                "The nearest colour of the palette that `readings.palette` names, by CIEDE2000; null if there is none."
            ) { $0.palette },
            .value(
                "xy", Chromaticity.schema.orNull,
                "The chromaticity, to four decimals; null for black, which has none."
            ) { $0.xy },
            .object("xyz", "CIE XYZ, D65, Y = 1 for white, to five decimals.", XYZ.fields) { $0.xyz },
        ] + ColorFigure.all.map { $0.field { $0 } })
}

extension CSSNotation {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("hsl", .string(pattern: #"^hsl\("#)) { $0.hsl },
        .value("hwb", .string(pattern: #"^hwb\("#)) { $0.hwb },
        .value("lab", .string(pattern: #"^lab\("#)) { $0.lab },
        .value("lch", .string(pattern: #"^lch\("#)) { $0.lch },
        .value("oklab", .string(pattern: #"^oklab\("#)) { $0.oklab },
        .value("oklch", .string(pattern: #"^oklch\("#)) { $0.oklch },
    ]
}

extension HSL {
    fileprivate static let fields: JSONFieldList<Self> = [
        .hue("The hue in degrees; null if `s` is 0, because it means nothing then.", decimals: 4) {
            ($0.hue, 100 * $0.saturation)
        },
        .number("l", .number(0...100), decimals: 4, "The lightness in percent.") { 100 * $0.lightness },
        .number("s", .number(0...100), decimals: 4, "The saturation in percent.") { 100 * $0.saturation },
    ]
}

extension HWB {
    fileprivate static let fields: JSONFieldList<Self> = [
        .number("b", .number(0...100), decimals: 4, "The blackness in percent.") { 100 * $0.blackness },
        .hue("The hue in degrees; null if `w` and `b` add up to 100, because it means nothing then.", decimals: 4) {
            ($0.hue, 100 - 100 * $0.whiteness - 100 * $0.blackness)
        },
        .number("w", .number(0...100), decimals: 4, "The whiteness in percent.") { 100 * $0.whiteness },
    ]
}

extension CIELab: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number("a", .number, decimals: 4, "From green to red.") { $0.a },
        .number("b", .number, decimals: 4, "From blue to yellow.") { $0.b },
        .number("l", .number, decimals: 4, "The lightness L*, 0...100.") { $0.lightness },
    ]
}

extension Oklab {
    fileprivate static let fields: JSONFieldList<Self> = [
        .number("a", .number, decimals: 6, "From green to red.") { $0.a },
        .number("b", .number, decimals: 6, "From blue to yellow.") { $0.b },
        .number("l", .number, decimals: 6, "The lightness, 0...1.") { $0.lightness },
    ]
}

extension PolarColor {
    fileprivate static func fields(decimals: Int, _ lightness: String) -> JSONFieldList<Self> {
        [
            .number("c", .number(from: 0), decimals: decimals, "The chroma.") { $0.chroma },
            .hue("The hue in degrees; null if `c` is 0, because it means nothing then.", decimals: decimals) {
                ($0.hue, $0.chroma)
            },
            .number("l", .number, decimals: decimals, lightness) { $0.lightness },
        ]
    }
}

extension XYZ {
    fileprivate static let fields: JSONFieldList<Self> = [
        .number("x", .number(from: 0), decimals: 5) { $0.x },
        .number("y", .number(from: 0), decimals: 5) { $0.y },
        .number("z", .number(from: 0), decimals: 5) { $0.z },
    ]
}

extension Chromaticity: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number("x", .number(0...1), decimals: 4) { $0.x },
        .number("y", .number(0...1), decimals: 4) { $0.y },
    ]
}

extension Reading.ColorDetails.Name {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("css", .string, "The nearest of the named colours of CSS, by CIEDE2000.") { $0.css },
        .number("deltaE", .number(from: 0), decimals: 1, "Its difference by CIEDE2000, to one decimal.") { $0.deltaE },
        .value("plain", .string, "A description in basic colour terms, such as `dark greyish blue`.") { $0.plain },
    ]
}

extension Palette.Match: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number("deltaE", .number(from: 0), decimals: 1, "Its difference by CIEDE2000, to one decimal.") { $0.deltaE },
        .value("hex", .hex) { $0.hex },
        .value("name", .string(1...100)) { $0.name },
    ]
}

extension JSONField {
    /// A hue in degrees, 0..<360, to four decimals.
    /// - Parameters:
    ///   - decimals: The decimals of the chroma.
    ///   - color: Returns the hue, and how much of it the colour has. If that is 0 to so many decimals, the hue means
    ///     nothing, and is null (CSS Color 4, 4.4).
    fileprivate static func hue(
        _ meaning: String, decimals: Int, _ color: @escaping @Sendable (Object) -> (hue: Double, chroma: Double)
    ) -> Self {
        let schema: JSONSchema = ["type": ["number", "null"], "minimum": 0, "exclusiveMaximum": 360]
        return .number("h", schema, decimals: 4, meaning) { object in
            let (hue, chroma) = color(object)
            guard chroma.rounded(decimals: decimals) > 0 else { return nil }
            let rounded = hue.rounded(decimals: 4)
            return rounded < 360 ? rounded : 0
        }
    }
}
