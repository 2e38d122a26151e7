package import FoundationEssentials

/// JSON as the program writes it: keys in alphabetical order, slashes unescaped.
package enum JSONText {
    /// Encodes a document.
    ///
    /// The result is `null` if the document contains a number that is not finite; all other values can be encoded.
    /// - Parameter isPretty: Whether to indent the result for people; otherwise it is one line.
    package static func data(of document: some Encodable, isPretty: Bool = false) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return (try? encoder.encode(document)) ?? Data("null".utf8)
    }
}

/// An optional property that is encoded as null, instead of being omitted, if it is nil.
@propertyWrapper
package struct Nullable<Value: Encodable>: Encodable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Sendable where Value: Sendable {}

/// An item that a client has set or deleted, with the reason why the change is not stored.
package struct Stored<Item: Encodable>: Encodable {
    private enum CodingKeys: CodingKey { case problem }

    private let item: Item
    private let problem: String?

    /// - Parameter problem: The reason, in sentences; nil if the item is stored.
    package init(_ item: Item, problem: String?) { (self.item, self.problem) = (item, problem) }

    /// Writes the keys of the item and `problem`.
    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(problem, forKey: .problem)
    }
}
