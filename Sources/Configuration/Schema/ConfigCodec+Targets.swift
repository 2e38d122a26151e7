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
    /// - Throws: A sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        let values = try Self.table(value)
        guard case .string(let written)? = values["name"] else {
            throw .refused("a target needs a name, as a string")
        }
        name = try Config.checkedName(written)
        guard case .string(let color)? = values["color"] else {
            throw .refused("\(name.text.quoted()) needs a color, as a string such as \"#C8102E\"")
        }
        do {
            lab = try CSSColor.parse(color)
        } catch {
            throw .refused("the color of \(name.text.quoted()): \(error)")
        }
        self.color = color
        let name = name
        func number(_ key: String) throws(ConfigRejection) -> Double? {
            guard let value = values[key] else { return nil }
            guard let number = value.number else {
                throw .refused("the \(key) of \(name.text.quoted()): \(value.sentence); expected a number")
            }
            guard Self.tolerances ~= number else {
                let range = "\(Self.tolerances.lowerBound.shortestText)...\(Self.tolerances.upperBound.shortestText)"
                throw .refused("the \(key) of \(name.text.quoted()): \(value.text) is out of range \(range)")
            }
            return number
        }
        tolerance = Tolerance(
            deltaE: try number("tolerance") ?? Tolerance().deltaE, lightness: try number("lightness"),
            chroma: try number("chroma"), hue: try number("hue"))
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

extension Config {
    /// An item of a list in the configuration that clients set and delete by its name.
    package protocol NamedItem: Sendable {
        /// The word for an item, whose plural is the name of the list.
        static var noun: String { get }
        /// The keys of an item's table.
        static var keys: [String] { get }
        /// The maximum number of items in the list.
        static var maxCount: Int { get }

        var name: Name { get }
        /// The table as lines of TOML, with its heading.
        var toml: String { get }

        /// Reads an item.
        /// - Throws: A sentence without a position.
        init(_ value: ConfigValue) throws(ConfigRejection)
    }

    /// The maximum number of Unicode scalars in the name of a target or a probe.
    private static let maxNameLength = 60

    /// Returns a name without spaces around it.
    package static func checkedName(_ text: String) throws(ConfigRejection) -> Name {
        let name = text.trimmed
        guard 1...maxNameLength ~= name.unicodeScalars.count, name.sanitized() == name else {
            throw .refused("the name \(text.quoted()) is not 1 to \(maxNameLength) printable characters on one line")
        }
        return Name(name)
    }
}

extension Config.Target: Config.NamedItem, ConfigRepresentable {
    package var configValue: ConfigValue? {
        let texts = ["name": ConfigValue.string(name.text), "color": .string(color)]
        return .table(texts.merging(numbers.map { ($0.key, .float($0.value)) }) { first, _ in first })
    }
}

extension Config.NamedItem {
    /// Returns the values in an item's table, all of whose keys are known.
    static func table(_ value: ConfigValue) throws(ConfigRejection) -> [String: ConfigValue] {
        guard case .table(let values) = value else { throw .refused("\(value.sentence); expected a table") }
        if let unknown = values.keys.sorted().first(where: { !keys.contains($0) }) {
            let near = keys.first { editDistance(unknown.lowercased(), $0) <= 2 }
            let advice = near.map { "did you mean \($0)?" } ?? "a \(noun) has \(keys.joined(separator: ", "))"
            throw .refused("unknown key \(unknown.quoted()); \(advice)")
        }
        return values
    }
}

extension ConfigCodec<[Config.Target]> {
    /// Targets with different names.
    static let targets = items(
        allowedValues: "at most \(Config.Target.maxCount) tables; tolerances in 0.1...100, 2 if omitted")
}

extension ConfigCodec {
    /// A list of items with different names.
    /// - Parameter conflict: Says why an item cannot be beside those before it; nil if it can.
    static func items<Item: Config.NamedItem>(
        allowedValues: String, conflict: @escaping @Sendable (Item, [Item]) -> String? = { _, _ in nil }
    ) -> ConfigCodec where Value == [Item] {
        ConfigCodec(
            expected: "tables, each with the heading [[\(Item.noun)s]]",
            allowedValues: allowedValues,
            decode: { value, _ throws(ConfigRejection) in
                guard case .list(let elements) = value else { throw .wrongType }
                guard elements.count <= Item.maxCount else {
                    throw .refused("there are \(elements.count) \(Item.noun)s; expected at most \(Item.maxCount)")
                }
                var items: [Item] = []
                for (index, element) in elements.enumerated() {
                    let item: Item
                    do throws(ConfigRejection) {
                        item = try Item(element)
                    } catch {
                        guard case .refused(let message) = error else { throw error }
                        throw .element(index, message)
                    }
                    guard !items.contains(where: { $0.name == item.name }) else {
                        throw .element(index, "there are two \(Item.noun)s named \(item.name.text.quoted())")
                    }
                    if let conflict = conflict(item, items) { throw .element(index, conflict) }
                    items.append(item)
                }
                return items
            },
            encode: { items in items.isEmpty ? nil : items.map(\.toml).joined(separator: "\n") })
    }
}
