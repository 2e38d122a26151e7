import Color
import Documents
package import Metrology
import Pixels
package import Untrusted

extension Config {
    /// A table `[[targets]]`: a colour that readings are compared with, or several.
    package struct Target: Equatable, Sendable {
        /// The maximum number of targets.
        package static let maxCount = CoverageTable.maxTargets
        package static let tolerances = 0.1...100.0

        package let name: Name
        /// The colours as they were written, in a notation of CSS; at least one.
        package let colors: [String]
        /// What readings are compared with.
        package let colorTarget: ColorTarget
        package var tolerance: Tolerance { colorTarget.tolerance }
    }
}

extension Config.Target {
    package static let (noun, keys) = ("target", ["name", "color", "tolerance", "lightness", "chroma", "hue"])

    /// Reads a target.
    /// - Throws: Every mistake, each a sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        var table = try ItemTable(value, of: Self.self)
        let colors = table.required("color", "a color, as a string such as \"#C8102E\"") {
            value throws(ConfigRejection) in
            let list = if case .list(let list) = value { list } else { [value] }
            guard 1...ColorTarget.maxColors ~= list.count else {
                throw .refused("there are \(list.count) colors; expected 1 to \(ColorTarget.maxColors)")
            }
            var colors: [(text: String, lab: CIELab)] = []
            for value in list { colors.append(try Self.color(value)) }
            return colors
        }
        func number(_ key: String) -> Double? {
            table.optional(key, "a number") { value throws(ConfigRejection) in
                guard let number = value.number else { throw .wrongType }
                guard Self.tolerances ~= number else {
                    let (least, most) = (Self.tolerances.lowerBound, Self.tolerances.upperBound)
                    throw .refused("\(value.text) is out of range \(least.shortestText)...\(most.shortestText)")
                }
                return number
            }
        }
        let tolerance = Tolerance(
            deltaE: number("tolerance") ?? Tolerance().deltaE, lightness: number("lightness"),
            chroma: number("chroma"), hue: number("hue"))
        guard let name = table.name, let colors, let first = colors.first, table.rejections.isEmpty else {
            throw .several(table.rejections)
        }
        (self.name, self.colors) = (name, colors.map(\.text))
        colorTarget = ColorTarget(
            name: name.text, color: first.lab, alternatives: colors.dropFirst().map(\.lab), tolerance: tolerance)
    }

    private static func color(_ value: ConfigValue) throws(ConfigRejection) -> (text: String, lab: CIELab) {
        guard case .string(let text) = value else {
            throw .refused("\(value.sentence); expected a color, as a string such as \"#C8102E\"")
        }
        do {
            return (text, try CSSColor.parse(text))
        } catch {
            throw .refused("\(error)")
        }
    }

    /// The value of `color`: a string, or a list of several.
    private var color: ConfigValue {
        let values = colors.map { ConfigValue.string($0) }
        return values.count == 1 ? values[0] : .list(values)
    }

    /// The table as lines of TOML, with its heading.
    package var toml: String {
        let numbers = numbers.map { "\($0.key) = \($0.value.shortestText)\n" }.joined()
        return "[[targets]]\nname = \(name.text.toml)\ncolor = \(color.toml ?? "")\n\(numbers)"
    }

    private var numbers: [(key: String, value: Double)] {
        let optional: [(key: String, value: Double?)] = [
            ("lightness", tolerance.lightness), ("chroma", tolerance.chroma), ("hue", tolerance.hue),
        ]
        return [("tolerance", tolerance.deltaE)] + optional.compactMap { key, value in value.map { (key, $0) } }
    }
}

extension Config.Target: Config.NamedItem, ConfigRepresentable {
    static var schema: JSONSchema { .component("Target") }

    package var configValue: ConfigValue? {
        let texts = ["name": .string(name.text), "color": color]
        return .table(texts.merging(numbers.map { ($0.key, .float($0.value)) }) { first, _ in first })
    }
}

extension ConfigCodec<[Config.Target]> {
    /// Targets with different names.
    static let targets = items(
        allowedValues: "at most \(Config.Target.maxCount) tables; tolerances in 0.1...100, 2 if omitted")
}
