package import Color

extension Reading {
    /// The mean in other notations and in words; nil if there is no colour.
    ///
    /// It is computed at each access, in about 12 µs, because most readings are never encoded.
    package var color: ColorDetails? {
        mean.map { ColorDetails($0, isDistorted: quality?.isColorDistorted ?? false) }
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
        package var notation: CSSNotation
        package var xyz: XYZ
        /// The chromaticity; nil for black, which has none.
        package var xy: Chromaticity?
        /// The colour temperature; nil if the colour is distorted, or not nearly white.
        package var temperature: CorrelatedColorTemperature?
        package var name: Name

        /// - Parameter isDistorted: Whether the balance of the channels is not to be trusted.
        package init(_ rgb: RGB, isDistorted: Bool = false) {
            xyz = XYZ(rgb)
            let lab = CIELab(xyz)
            let nearest = NamedColor.nearest(to: lab)
            notation = CSSNotation(rgb: rgb, lab: lab, oklab: Oklab(xyz))
            xy = xyz.chromaticity
            temperature = isDistorted ? nil : xy.flatMap(CorrelatedColorTemperature.init)
            name = Name(css: nearest.color.name, deltaE: nearest.difference, plain: rgb.plainDescription)
        }
    }
}

extension Reading.ColorDetails: Encodable {
    private enum CodingKeys: String, CodingKey { case hsl, hwb, lab, lch, oklab, oklch, xyz, xy, cct, duv, name }
    private enum Coordinates: String, CodingKey { case x, y, z }

    /// Writes XYZ to five decimals, xy and Duv to four, and the temperature to whole kelvins.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notation.hsl, forKey: .hsl)
        try container.encode(notation.hwb, forKey: .hwb)
        try container.encode(notation.lab, forKey: .lab)
        try container.encode(notation.lch, forKey: .lch)
        try container.encode(notation.oklab, forKey: .oklab)
        try container.encode(notation.oklch, forKey: .oklch)
        var coordinates = container.nestedContainer(keyedBy: Coordinates.self, forKey: .xyz)
        try coordinates.encode(xyz.x.rounded(decimals: 5), forKey: .x)
        try coordinates.encode(xyz.y.rounded(decimals: 5), forKey: .y)
        try coordinates.encode(xyz.z.rounded(decimals: 5), forKey: .z)
        if let xy {
            var coordinates = container.nestedContainer(keyedBy: Coordinates.self, forKey: .xy)
            try coordinates.encode(xy.x.rounded(decimals: 4), forKey: .x)
            try coordinates.encode(xy.y.rounded(decimals: 4), forKey: .y)
        } else {
            try container.encodeNil(forKey: .xy)
        }
        try container.encode(temperature?.kelvins.rounded(decimals: 0), forKey: .cct)
        try container.encode(temperature?.duv.rounded(decimals: 4), forKey: .duv)
        try container.encode(name, forKey: .name)
    }
}

extension Reading.ColorDetails.Name: Encodable {
    private enum CodingKeys: String, CodingKey { case css, deltaE, plain }

    /// Writes the difference to a tenth.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(css, forKey: .css)
        try container.encode(deltaE.rounded(decimals: 1), forKey: .deltaE)
        try container.encode(plain, forKey: .plain)
    }
}
