package import Color
package import Metrology
package import Untrusted

extension Config {
    /// A table `[[targets]]`: a colour that readings are compared with.
    package struct Target: Equatable, Sendable {
        /// The maximum number of targets.
        package static let maxCount = 64
        package static let tolerances = 0.1...100.0

        package let name: Name
        /// The colour as it was written, in a notation of CSS.
        package let color: String
        package let lab: CIELab
        package let tolerance: Tolerance

        /// What readings are compared with.
        package var colorTarget: ColorTarget { ColorTarget(name: name.text, color: lab, tolerance: tolerance) }
    }
}

extension Config.Target {
    package static let (noun, keys) = ("target", ["name", "color", "tolerance", "lightness", "chroma", "hue"])

    /// Reads a target.
    /// - Throws: Every mistake, each a sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        var table = try ItemTable(value, of: Self.self)
        let color = table.required("color", "a color, as a string such as \"#C8102E\"") {
            value throws(ConfigRejection) -> (text: String, lab: CIELab) in
            guard case .string(let text) = value else { throw .wrongType }
            do {
                return (text, try CSSColor.parse(text))
            } catch {
                throw .refused("\(error)")
            }
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
        tolerance = Tolerance(
            deltaE: number("tolerance") ?? Tolerance().deltaE, lightness: number("lightness"),
            chroma: number("chroma"), hue: number("hue"))
        guard let name = table.name, let color, table.rejections.isEmpty else { throw .several(table.rejections) }
        (self.name, self.color, lab) = (name, color.text, color.lab)
    }

    /// The table as lines of TOML, with its heading.
    package var toml: String {
        let numbers = numbers.map { "\($0.key) = \($0.value.shortestText)\n" }.joined()
        return "[[targets]]\nname = \(name.text.toml)\ncolor = \(color.toml)\n\(numbers)"
    }

    private var numbers: [(key: String, value: Double)] {
        let optional: [(key: String, value: Double?)] = [
            ("lightness", tolerance.lightness), ("chroma", tolerance.chroma), ("hue", tolerance.hue),
        ]
        return [("tolerance", tolerance.deltaE)] + optional.compactMap { key, value in value.map { (key, $0) } }
    }
}

extension Config.Target: Config.NamedItem, ConfigRepresentable {
    package var configValue: ConfigValue? {
        let texts = ["name": ConfigValue.string(name.text), "color": .string(color)]
        return .table(texts.merging(numbers.map { ($0.key, .float($0.value)) }) { first, _ in first })
    }
}

extension ConfigCodec<[Config.Target]> {
    /// Targets with different names.
    static let targets = items(
        allowedValues: "at most \(Config.Target.maxCount) tables; tolerances in 0.1...100, 2 if omitted")
}
