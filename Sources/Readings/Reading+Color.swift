package import Color
package import Documents
package import Palettes
import Untrusted

extension Reading {
    /// The mean in other notations and in words; nil if there is no colour.
    ///
    /// It is computed at each access, because most readings are never encoded.
    package var color: ColorDetails? {
        mean.map { ColorDetails($0, isDistorted: quality?.isColorDistorted ?? false, palette: palette) }
    }

    /// A colour in several notations and spaces, and its name, all computed from the unrounded colour.
    package struct ColorDetails: Equatable, Sendable {
        /// The nearest of CSS's named colours, its difference, and a description in plain words.
        package struct Name: Equatable, Sendable {
            package var css: String
            /// The difference by CIEDE2000.
            package var deltaE: Double
            package var plain: String
        }

        /// Strings for style sheets.
        package var css: CSSNotation
        package var hsl: HSL
        package var hwb: HWB
        package var lab: CIELab
        package var oklab: Oklab
        package var xyz: XYZ
        /// The chromaticity; nil for black, which has none.
        package var xy: Chromaticity?
        /// The colour temperature; nil if the colour is distorted, or not nearly white.
        package var temperature: CorrelatedColorTemperature?
        package var name: Name
        /// The nearest entry of the palette; nil if there is no palette.
        package var palette: Palette.Match?

        /// - Parameters:
        ///   - isDistorted: Whether the balance of the channels is not to be trusted.
        ///   - palette: The configured palette.
        package init(_ rgb: RGB, isDistorted: Bool = false, palette: Palette? = nil) {
            xyz = XYZ(rgb)
            lab = CIELab(xyz)
            oklab = Oklab(xyz)
            hsl = HSL(rgb)
            hwb = HWB(rgb)
            css = CSSNotation(rgb: rgb, lab: lab, oklab: oklab)
            xy = xyz.chromaticity
            temperature = isDistorted ? nil : xy.flatMap(CorrelatedColorTemperature.init)
            let nearest = NamedColor.nearest(to: lab)
            name = Name(css: nearest.color.name, deltaE: nearest.difference, plain: rgb.plainDescription)
            self.palette = palette?.nearest(to: lab)
        }
    }
}

extension Reading.ColorDetails: JSONObject {
    /// Writes percentages, degrees and CIELAB to four decimals, Oklab to six, XYZ to five, xy and Duv to four, and the
    /// temperature to whole kelvins.
    package func writeFields(to json: inout JSONWriter) {
        json.field("cct", temperature?.kelvins, decimals: 0)
        json.field("css") { json in
            json.field("hsl", css.hsl)
            json.field("hwb", css.hwb)
            json.field("lab", css.lab)
            json.field("lch", css.lch)
            json.field("oklab", css.oklab)
            json.field("oklch", css.oklch)
        }
        json.field("duv", temperature?.duv, decimals: 4)
        json.field("hsl") { json in
            json.field(hue: hsl.hue, of: 100 * hsl.saturation, decimals: 4)
            json.field("l", 100 * hsl.lightness, decimals: 4)
            json.field("s", 100 * hsl.saturation, decimals: 4)
        }
        json.field("hwb") { json in
            let (whiteness, blackness) = (100 * hwb.whiteness, 100 * hwb.blackness)
            json.field("b", blackness, decimals: 4)
            json.field(hue: hwb.hue, of: 100 - whiteness - blackness, decimals: 4)
            json.field("w", whiteness, decimals: 4)
        }
        json.field("lab") { $0.fields(lab.lightness, a: lab.a, b: lab.b, decimals: 4) }
        json.field("lch") { $0.fields(lab.polar, decimals: 4) }
        json.field("name", name)
        json.field("oklab") { $0.fields(oklab.lightness, a: oklab.a, b: oklab.b, decimals: 6) }
        json.field("oklch") { $0.fields(oklab.polar, decimals: 6) }
        json.field("palette", palette)
        json.field("xy", of: xy) { json, xy in
            json.field("x", xy.x, decimals: 4)
            json.field("y", xy.y, decimals: 4)
        }
        json.field("xyz") { json in
            json.field("x", xyz.x, decimals: 5)
            json.field("y", xyz.y, decimals: 5)
            json.field("z", xyz.z, decimals: 5)
        }
    }
}

extension Reading.ColorDetails.Name: JSONObject {
    /// Writes the difference to a tenth.
    package func writeFields(to json: inout JSONWriter) {
        json.field("css", css)
        json.field("deltaE", deltaE, decimals: 1)
        json.field("plain", plain)
    }
}

extension Palette.Match: JSONObject {
    /// Writes the difference to a tenth.
    package func writeFields(to json: inout JSONWriter) {
        json.field("deltaE", deltaE, decimals: 1)
        json.field("hex", hex)
        json.field("name", name)
    }
}

extension JSONWriter {
    mutating func fields(_ lightness: Double, a: Double, b: Double, decimals: Int) {
        field("a", a, decimals: decimals)
        field("b", b, decimals: decimals)
        field("l", lightness, decimals: decimals)
    }

    fileprivate mutating func fields(_ color: PolarColor, decimals: Int) {
        field("c", color.chroma, decimals: decimals)
        field(hue: color.hue, of: color.chroma, decimals: decimals)
        field("l", color.lightness, decimals: decimals)
    }

    /// Writes a hue in degrees, 0..<360, to four decimals.
    /// - Parameters:
    ///   - chroma: How much of the hue the colour has. If it is 0 to so many decimals, the hue means nothing, and is
    ///     null (CSS Color 4, 4.4).
    fileprivate mutating func field(hue: Double, of chroma: Double, decimals: Int) {
        let hue = hue.rounded(decimals: 4)
        field("h", chroma.rounded(decimals: decimals) > 0 ? hue < 360 ? hue : 0 : nil, decimals: 4)
    }
}
