package import FoundationEssentials

/// JSON as the program writes it: keys in alphabetical order, slashes unescaped.
package enum JSONText {
    /// Encodes a document.
    ///
    /// Only a number that is not finite cannot be encoded. The result is then `null`.
    /// - Parameter isPretty: Whether to indent it for people; otherwise it is one line.
    package static func data(of document: some Encodable, isPretty: Bool = false) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return (try? encoder.encode(document)) ?? Data("null".utf8)
    }
}

/// An optional property that is encoded as null if it is nil, and not omitted.
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
