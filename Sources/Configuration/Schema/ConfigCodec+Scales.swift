import Color
import Documents
package import Metrology
package import Untrusted

extension Config {
    /// A table `[[scales]]`: a row of colours with values.
    package struct Scale: Equatable, Sendable {
        package static let maxCount = NamedScale.maxCount
        /// The maximum length of a unit, in scalars.
        private static let maxUnit = 20

        package let scale: NamedScale
        /// The colours as they were written, in a notation of CSS, those of a value together; empty if they are those of
        /// probes.
        package let texts: [[String]]
    }
}

extension Config.Scale {
    package static let (noun, keys) = ("scale", ["name", "unit", "points", "probe", "tolerance"])

    package var name: Name { scale.name }

    /// A point of a scale as it is written.
    private struct Point {
        var value: Double
        /// The colours of the pads as they were written; empty if they are those of probes.
        var texts: [String] = []
        var known = NamedScale.Known([])
        var probes: [Name] = []

        var padCount: Int { max(texts.count, probes.count) }
    }

    /// Reads a scale.
    /// - Throws: Every mistake, each a sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        var table = try ItemTable(value, of: Self.self)
        let unit = table.optional("unit", "a unit, as a string such as \"mg/L\"") { value throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            let unit = text.trimmed
            guard unit.unicodeScalars.count <= Self.maxUnit, unit.sanitized() == unit else {
                throw .refused("\(text.quoted()) is not up to \(Self.maxUnit) printable characters on one line")
            }
            return unit
        }
        let points = table.required("points", "points, such as [{ value = 6, color = \"#E8C34A\" }]") {
            value throws(ConfigRejection) in
            try Self.points(value)
        }
        let probes = table.optional("probe", "the name of a probe, or of one for each pad") {
            value throws(ConfigRejection) in
            try Self.names(Self.texts(value))
        }
        let tolerance = table.optional("tolerance", "a number") { value throws(ConfigRejection) in
            guard let number = value.number else { throw .wrongType }
            guard NamedScale.tolerances ~= number else {
                let (least, most) = (NamedScale.tolerances.lowerBound, NamedScale.tolerances.upperBound)
                throw .refused("\(value.text) is out of range \(least.shortestText)...\(most.shortestText)")
            }
            return number
        }
        guard let name = table.name, let points, table.rejections.isEmpty else { throw .several(table.rejections) }
        let padCount = points[0].padCount
        guard max(1, probes?.count ?? 0) == padCount else {
            throw .refused(
                "\(name.text.quoted()): each point has \(padCount) \(padCount == 1 ? "pad" : "pads"), so probe has to name "
                    + "as many, whose colors are read")
        }
        let sorted = points.sorted { $0.value < $1.value }
        let isKnown = points.allSatisfy(\.probes.isEmpty)
        texts = isKnown ? sorted.map(\.texts) : []
        scale = NamedScale(
            name: name, unit: unit ?? "", values: sorted.map(\.value),
            colors: isKnown ? .known(sorted.map(\.known)) : .probes(sorted.map(\.probes)),
            probes: probes ?? [], tolerance: tolerance ?? 6)
    }

    /// Reads one text, or one for each pad.
    private static func texts(_ value: ConfigValue) throws(ConfigRejection) -> [String] {
        if case .string(let text) = value { return [text] }
        guard case .list(let list) = value else { throw .wrongType }
        guard ColorScale.padCounts ~= list.count else {
            throw .refused("a scale has up to \(ColorScale.padCounts.upperBound) pads, and not \(list.count)")
        }
        var texts: [String] = []
        for element in list {
            guard case .string(let text) = element else { throw .wrongType }
            texts.append(text)
        }
        return texts
    }

    private static func names(_ texts: [String]) throws(ConfigRejection) -> [Name] {
        var names: [Name] = []
        for text in texts { names.append(try Config.checkedName(text)) }
        return names
    }

    private static func points(_ value: ConfigValue) throws(ConfigRejection) -> [Point] {
        guard case .list(let list) = value else { throw .wrongType }
        guard ColorScale.counts ~= list.count else {
            let (least, most) = (ColorScale.counts.lowerBound, ColorScale.counts.upperBound)
            throw .refused("there are \(list.count) points; expected \(least) to \(most)")
        }
        var points: [Point] = []
        for element in list { points.append(try point(element)) }
        let sorted = points.sorted { $0.value < $1.value }
        for (point, next) in zip(sorted, sorted.dropFirst()) {
            let (value, other) = (point.value.shortestText, next.value.shortestText)
            guard point.value < next.value else { throw .refused("there are two points of the value \(value)") }
            guard point.texts.isEmpty == next.texts.isEmpty else {
                throw .refused("either all points have a color, or all have a probe")
            }
            guard point.padCount == next.padCount else {
                throw .refused("the points of \(value) and \(other) have different numbers of pads")
            }
            if !point.texts.isEmpty, point.known.colors == next.known.colors {
                throw .refused("the points of \(value) and \(other) have the same color")
            }
        }
        var names = Set<Name>()
        for name in points.flatMap(\.probes) where !names.insert(name).inserted {
            throw .refused("the probe \(name.text.quoted()) is that of two points")
        }
        return points
    }

    private static func point(_ element: ConfigValue) throws(ConfigRejection) -> Point {
        let mistake = ConfigRejection.refused(
            "\(element.sentence); expected a value and a color or a probe, such as { value = 6, color = \"#E8C34A\" }")
        guard case .table(let values) = element, values.keys.allSatisfy(["value", "color", "probe", "error"].contains),
            let number = values["value"]?.number, number.isFinite, number.magnitude <= 1e9
        else { throw mistake }
        var point = Point(value: number)
        switch (values["color"], values["probe"]) {
        case (let color?, nil):
            let error = values["error"].map { $0.number ?? -1 } ?? 0
            guard NamedScale.errors ~= error else {
                throw .refused("error is the standard error of the color in CIELAB, 0...20")
            }
            point.texts = try texts(color)
            var colors: [CIELab] = []
            do {
                for text in point.texts { colors.append(try CSSColor.parse(text)) }
            } catch {
                throw .refused("\(error)")
            }
            point.known = .init(colors, error: error)
        case (nil, let probe?) where values["error"] == nil: point.probes = try names(texts(probe))
        default: throw mistake
        }
        return point
    }

    /// The probes that the scale names.
    private var probes: [Name] {
        if case .probes(let names) = scale.colors { return scale.probes + names.flatMap(\.self) }
        return scale.probes
    }

    /// Says which of its probes does not exist; nil if all do.
    func problem(among probes: [Name]) -> String? {
        self.probes.first { !probes.contains($0) }.map {
            "the scale \(name.text.quoted()): there is no probe named \($0.text.quoted())"
        }
    }

    /// The points as keys and values.
    private var points: [[(key: String, value: ConfigValue)]] {
        scale.values.enumerated().map { index, value in
            let number = (key: "value", value: ConfigValue.float(value))
            switch scale.colors {
            case .probes(let names): return [number, ("probe", .texts(names[index].map(\.text)))]
            case .known(let known):
                let error = known[index].error
                return [number, ("color", .texts(texts[index]))] + (error > 0 ? [("error", .float(error))] : [])
            }
        }
    }

    /// The table as lines of TOML, with its heading.
    package var toml: String {
        var lines = ["[[scales]]", "name = \(name.text.toml)"]
        if !scale.unit.isEmpty { lines.append("unit = \(scale.unit.toml)") }
        lines.append("points = [")
        lines += points.map { point in
            "    { \(point.map { "\($0.key) = \($0.value.toml ?? "")" }.joined(separator: ", ")) },"
        }
        lines.append("]")
        if let probes = ConfigValue.texts(scale.probes.map(\.text)).toml, !scale.probes.isEmpty {
            lines.append("probe = \(probes)")
        }
        lines.append("tolerance = \(scale.tolerance.shortestText)")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Config.Scale: Config.NamedItem, ConfigRepresentable {
    static var schema: JSONSchema { .component("Scale") }

    package var configValue: ConfigValue? {
        var values: [String: ConfigValue] = [
            "name": .string(name.text), "unit": .string(scale.unit), "tolerance": .float(scale.tolerance),
            "points": .list(points.map { .table(Dictionary($0.map { ($0, $1) }) { first, _ in first }) }),
        ]
        if !scale.probes.isEmpty { values["probe"] = .texts(scale.probes.map(\.text)) }
        return .table(values)
    }
}

extension ConfigValue {
    /// A text, or a list of several.
    fileprivate static func texts(_ texts: [String]) -> ConfigValue {
        texts.count == 1 ? .string(texts[0]) : .list(texts.map { .string($0) })
    }
}

extension ConfigCodec<[Config.Scale]> {
    /// Scales with different names.
    static let scales = items(
        allowedValues: "at most \(NamedScale.maxCount) tables, each with "
            + "\(ColorScale.counts.lowerBound) to \(ColorScale.counts.upperBound) points")
}
