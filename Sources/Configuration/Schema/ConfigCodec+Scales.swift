import Color
import Documents
package import Metrology
package import Untrusted

extension Config {
    /// A table `[[scales]]`: a row of colours with values.
    package struct Scale: Equatable, Sendable {
        /// The maximum number of scales.
        package static let maxCount = 8
        /// The maximum length of a unit, in scalars.
        private static let maxUnit = 20

        package let scale: NamedScale
        /// The colours as they were written, in a notation of CSS; empty if they are those of probes.
        package let texts: [String]
    }
}

extension Config.Scale {
    package static let (noun, keys) = ("scale", ["name", "unit", "points", "probe", "tolerance"])

    package var name: Name { scale.name }

    /// A point of a scale as it is written.
    private struct Point {
        var value: Double
        /// The colour and its text; nil if it is that of a probe.
        var color: (text: String, lab: CIELab)?
        var probe: Name?
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
        let probe = table.optional("probe", "the name of a probe") { value throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            return try Config.checkedName(text)
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
        let sorted = points.sorted { $0.value < $1.value }
        texts = sorted.compactMap(\.color?.text)
        scale = NamedScale(
            name: name, unit: unit ?? "", values: sorted.map(\.value),
            colors: texts.isEmpty ? .probes(sorted.compactMap(\.probe)) : .known(sorted.compactMap(\.color?.lab)),
            probe: probe, tolerance: tolerance ?? 6)
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
            guard (point.color == nil) == (next.color == nil) else {
                throw .refused("either all points have a color, or all have a probe")
            }
            if let color = point.color?.lab, color == next.color?.lab {
                throw .refused("the points of \(value) and \(other) have the same color")
            }
            if let probe = point.probe, sorted.count(where: { $0.probe == probe }) > 1 {
                throw .refused("the probe \(probe.text.quoted()) is that of two points")
            }
        }
        return points
    }

    private static func point(_ element: ConfigValue) throws(ConfigRejection) -> Point {
        let example = "expected a value and a color or a probe, such as { value = 6, color = \"#E8C34A\" }"
        guard case .table(let values) = element, values.keys.allSatisfy(["value", "color", "probe"].contains),
            values.count == 2, let number = values["value"]?.number, number.isFinite, number.magnitude <= 1e9
        else { throw .refused("\(element.sentence); \(example)") }
        switch (values["color"], values["probe"]) {
        case (.string(let text)?, nil):
            do {
                return Point(value: number, color: (text, try CSSColor.parse(text)))
            } catch {
                throw .refused("\(error)")
            }
        case (nil, .string(let text)?): return Point(value: number, probe: try Config.checkedName(text))
        default: throw .refused("\(element.sentence); \(example)")
        }
    }

    /// The probes that the scale names.
    private var probes: [Name] {
        let own = [scale.probe].compactMap(\.self)
        if case .probes(let names) = scale.colors { return own + names }
        return own
    }

    /// Says which of its probes does not exist; nil if all do.
    func problem(among probes: [Name]) -> String? {
        self.probes.first { !probes.contains($0) }.map {
            "the scale \(name.text.quoted()): there is no probe named \($0.text.quoted())"
        }
    }

    /// The points as keys and values.
    private var points: [(value: Double, key: String, text: String)] {
        if case .probes(let names) = scale.colors {
            return zip(scale.values, names).map { ($0, "probe", $1.text) }
        }
        return zip(scale.values, texts).map { ($0, "color", $1) }
    }

    /// The table as lines of TOML, with its heading.
    package var toml: String {
        var lines = ["[[scales]]", "name = \(name.text.toml)"]
        if !scale.unit.isEmpty { lines.append("unit = \(scale.unit.toml)") }
        lines.append("points = [")
        lines += points.map { "    { value = \($0.value.shortestText), \($0.key) = \($0.text.toml) }," }
        lines.append("]")
        if let probe = scale.probe { lines.append("probe = \(probe.text.toml)") }
        lines.append("tolerance = \(scale.tolerance.shortestText)")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Config.Scale: Config.NamedItem, ConfigRepresentable {
    static var schema: JSONSchema { .component("Scale") }

    package var configValue: ConfigValue? {
        var values: [String: ConfigValue] = [
            "name": .string(name.text), "unit": .string(scale.unit), "tolerance": .float(scale.tolerance),
            "points": .list(points.map { .table(["value": .float($0.value), $0.key: .string($0.text)]) }),
        ]
        if let probe = scale.probe { values["probe"] = .string(probe.text) }
        return .table(values)
    }
}

extension ConfigCodec<[Config.Scale]> {
    /// Scales with different names.
    static let scales = items(
        allowedValues: "at most \(Config.Scale.maxCount) tables, each with "
            + "\(ColorScale.counts.lowerBound) to \(ColorScale.counts.upperBound) points")
}
