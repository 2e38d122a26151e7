/// A colour that CSS gives a name (CSS Color 4, 6.1).
package struct NamedColor: Sendable {
    /// The name in lower case.
    package let name: String
    /// The colour in sRGB.
    package let rgb: RGB8
    /// The colour in CIELAB.
    package let lab: CIELab

    private init(name: String, code: UInt32) {
        self.name = name
        rgb = RGB8(code: code)
        lab = CIELab(RGB(rgb))
    }

    /// All names, computed once.
    package static let all: [NamedColor] = values.map { NamedColor(name: $0.name, code: $0.code) }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// All colours except those whose other name is better known: cyan and magenta. Of two spellings, a search finds
    /// the first, such as gray.
    private static let distinct = all.filter { $0.name != "aqua" && $0.name != "fuchsia" }
    /// Their CIELAB alone, through which a search is quicker.
    private static let distinctLabs = distinct.map(\.lab)

    /// Returns the colour with a name, which must be in lower case; nil if there is none.
    package static func named(_ name: String) -> NamedColor? { byName[name] }

    /// Returns the colour with the least difference by CIEDE2000, and that difference.
    package static func nearest(to lab: CIELab) -> (color: NamedColor, difference: Double) {
        // The nearest colour by the formula of 1976, which is much quicker, is almost the nearest by CIEDE2000. Few
        // others can then be nearer.
        let labs = distinctLabs
        var best = 0
        var distance = Double.infinity
        for index in labs.indices {
            let (l, a, b) = (labs[index].lightness - lab.lightness, labs[index].a - lab.a, labs[index].b - lab.b)
            let square = l * l + a * a + b * b
            if square < distance { (best, distance) = (index, square) }
        }
        var difference = CIEDE2000(lab, labs[best]).total
        for index in labs.indices where CIEDE2000.minSquare(lab, labs[index]) < difference * difference {
            let other = CIEDE2000(lab, labs[index]).total
            if other < difference { (best, difference) = (index, other) }
        }
        return (distinct[best], difference)
    }
}
