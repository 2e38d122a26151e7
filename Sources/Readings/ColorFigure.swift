import Color
package import Documents

/// A figure that follows from a measured colour alone, declared once.
///
/// From its line in ``all`` follow its key in `color` of a reading, its columns in the tables of the history and of the
/// samples, its key in the message of the broker with its entity in Home Assistant, its row in the tab of statistics
/// with its definition on the page about figures, and what docs/ say about all of these.
package struct ColorFigure: Sendable {
    /// The places that have a figure besides readings and pages.
    package struct Places: OptionSet, Sendable {
        package static let history = Places(rawValue: 1)
        package static let samples = Places(rawValue: 2)
        package static let broker = Places(rawValue: 4)

        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    package enum Value: Sendable {
        case number(decimals: Int, unit: String?, @Sendable (Reading.ColorDetails) -> Double?)
        /// A word, and all that it can be.
        case word([String], @Sendable (Reading.ColorDetails) -> String?)
    }

    package let key: String
    package let schema: JSONSchema
    /// The heading of its row.
    package let label: String
    /// The name in Home Assistant.
    package let longLabel: String
    /// The end of a sentence, in Markdown.
    package let meaning: String
    /// Sentences for the page about figures.
    package let definition: String
    package let places: Places
    package let value: Value

    private init(
        _ key: String, _ schema: JSONSchema, label: String, longLabel: String? = nil, in places: Places,
        _ meaning: String,
        definition: String, _ value: Value
    ) {
        (self.key, self.schema, self.label, self.longLabel) = (key, schema, label, longLabel ?? label)
        (self.places, self.meaning, self.definition, self.value) = (places, meaning, definition, value)
    }

    package static let all: [ColorFigure] = [
        ColorFigure(
            "cct", .integer(2000...12_500).orNull, label: "CCT", longLabel: "Color temperature", in: .broker,
            "the correlated colour temperature of the light in kelvins (McCamy); null for a colour that is not nearly white "
                + "(|Duv| above 0.05), has less than 2000 or more than 12,500 K, or is clipped, out of gamut or dark",
            definition:
                "The correlated colour temperature in kelvins: that of the black body whose light looks most like "
                + "this colour (McCamy 1992). It is given only for a nearly white colour of 2000…12,500 K that "
                + "is neither clipped, out of gamut nor dark. Automatic white balance removes the tint that CCT "
                + "measures, so lock it first.",
            .number(decimals: 0, unit: "K") { $0.temperature?.kelvins }),
        ColorFigure(
            "duv", .number(-0.05...0.05).orNull, label: "Duv", in: [],
            "the distance of the light from that of a black body (Ohno): positive if it is greener, negative if it "
                + "is pinker; null whenever `cct` is",
            definition:
                "The distance of the colour from that of the black body, in the CIE 1960 diagram (Ohno 2014). Above "
                + "0, the light is greenish; below 0, it is pinkish. Up to 0.006 it counts as white light.",
            .number(decimals: 4, unit: nil) { $0.temperature?.duv }),
    ]
}

extension ColorFigure {
    /// The figures that a place has.
    package static func all(in place: Places) -> [ColorFigure] { all.filter { $0.places.contains(place) } }

    /// The key in words with `_` between them, as columns and entities are named.
    package var column: String {
        key.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    /// The field of an object that has a colour.
    package func field<Object>(of color: @escaping @Sendable (Object) -> Reading.ColorDetails?) -> JSONField<Object> {
        switch value {
        case .number(let decimals, _, let value):
            .number(key, schema, decimals: decimals, meaning) { color($0).flatMap(value) }
        case .word(_, let value): .value(key, schema, meaning) { color($0).flatMap(value) }
        }
    }

    /// The columns that a place has for the figures of a row's colour.
    static func columns<Row>(
        in place: Places, of color: @escaping @Sendable (Row) -> Reading.ColorDetails
    ) -> [CSVColumns<Row>] {
        all(in: place).map { figure in
            CSVColumns(figure.column, figure.meaning) { row in
                switch figure.value {
                case .number(let decimals, _, let value): [.number(value(color(row)), decimals: decimals)]
                case .word(_, let value): [.word(value(color(row)))]
                }
            }
        }
    }
}
