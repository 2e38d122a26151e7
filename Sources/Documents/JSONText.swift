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
