import Documents
package import Untrusted

extension Config {
    /// An item of a list in the configuration that clients set and delete by its name.
    package protocol NamedItem: Named, Sendable {
        /// The word for an item, whose plural is the name of the list.
        static var noun: String { get }
        /// The keys of an item's table.
        static var keys: [String] { get }
        /// The maximum number of items in the list.
        static var maxCount: Int { get }

        /// The table of the item, as in JSON.
        var configValue: ConfigValue? { get }
        /// The table as lines of TOML, with its heading.
        var toml: String { get }

        /// Reads an item.
        /// - Throws: Every mistake, each a sentence without a position.
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

/// The value of a key that has several tables, one for each item.
protocol NamedItemList {}

extension Array: NamedItemList where Element: Config.NamedItem {}

/// The table of an item while it is read, with every mistake found so far.
struct ItemTable {
    /// The maximum number of unknown keys that are named: a table of another kind could have thousands.
    private static let maxUnknown = 20

    /// The name; nil if it is missing or wrong.
    private(set) var name: Name?
    private(set) var rejections: [ConfigRejection] = []
    private let values: [String: ConfigValue]
    /// The word for the item.
    private let noun: String
    /// The keys that unknown ones probably stand for.
    private var misspelt: Set<String> = []

    init<Item: Config.NamedItem>(_ value: ConfigValue, of _: Item.Type) throws(ConfigRejection) {
        guard case .table(let values) = value else { throw .refused("\(value.sentence); expected a table") }
        (self.values, noun) = (values, Item.noun)
        let unknown = values.keys.filter { !Item.keys.contains($0) }.sorted()
        for key in unknown.prefix(Self.maxUnknown) {
            let near = Item.keys.first { editDistance(key.lowercased(), $0) <= 2 }
            let advice = near.map { "did you mean \($0)?" } ?? "a \(noun) has \(Item.keys.joined(separator: ", "))"
            rejections.append(.entry(key, "unknown key \(key.quoted()); \(advice)"))
            if let near { misspelt.insert(near) }
        }
        let more = unknown.count - Self.maxUnknown
        if more > 0 { rejections.append(.refused("and \(more) more unknown keys")) }
        switch values["name"] {
        case .string(let written)?:
            do throws(ConfigRejection) {
                name = try Config.checkedName(written)
            } catch {
                rejections.append(.entry("name", error.message))
            }
        case let other?: reject("name", other, "a \(noun) needs a name, as a string")
        case nil: reject("name", nil, "a \(noun) needs a name, as a string")
        }
    }

    /// What messages call the item.
    private var label: String { name?.text.quoted() ?? "this \(noun)" }

    /// Returns the value of a key; nil if it is missing or wrong, which is a mistake.
    /// - Parameter expected: What the item needs.
    mutating func required<Value>(
        _ key: String, _ expected: String, read: (ConfigValue) throws(ConfigRejection) -> Value
    ) -> Value? {
        guard values[key] != nil else {
            reject(key, nil, "\(label) needs \(expected)")
            return nil
        }
        return optional(key, expected, read: read)
    }

    /// Returns the value of a key; nil if it is missing, or wrong, which is a mistake.
    mutating func optional<Value>(
        _ key: String, _ expected: String, read: (ConfigValue) throws(ConfigRejection) -> Value
    ) -> Value? {
        guard let value = values[key] else { return nil }
        do throws(ConfigRejection) {
            return try read(value)
        } catch {
            let message = error == .wrongType ? "\(value.sentence); expected \(expected)" : error.message
            reject(key, value, "the \(key) of \(label): \(message)")
            return nil
        }
    }

    private mutating func reject(_ key: String, _ value: ConfigValue?, _ message: String) {
        // The value of a misspelt key is not missing.
        guard value != nil || !misspelt.contains(key) else { return }
        rejections.append(value == nil ? .refused(message) : .entry(key, message))
    }
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
                var rejections: [ConfigRejection] = []
                for (index, element) in elements.enumerated() {
                    do throws(ConfigRejection) {
                        let item = try Item(element)
                        if items.contains(where: { $0.name == item.name }) {
                            throw .refused("there are two \(Item.noun)s named \(item.name.text.quoted())")
                        }
                        if let conflict = conflict(item, items) { throw .refused(conflict) }
                        items.append(item)
                    } catch {
                        rejections += error.parts.map { .element(index, key: $0.key, $0.message) }
                    }
                }
                guard rejections.isEmpty else { throw .several(rejections) }
                return items
            },
            encode: { items in items.isEmpty ? nil : items.map(\.toml).joined(separator: "\n") },
            schema: (Value.self as? any ConfigRepresentable.Type)?.schema.with(
                "maxItems", .number(Double(Item.maxCount))))
    }
}
