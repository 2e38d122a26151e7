package import Color

/// A field of a JSON object, declared once: how it is written, and how it is described.
package struct JSONField<Object>: Sendable {
    package let property: JSONProperty
    /// Writes the key and the value.
    package let write: @Sendable (inout JSONWriter, Object) -> Void

    package var key: String { property.key }
    /// Sentences in Markdown, for the documentation and the schema.
    package var meaning: String { property.meaning }

    package init(
        _ key: String, _ schema: JSONSchema, _ meaning: String = "",
        write: @escaping @Sendable (inout JSONWriter, Object) -> Void
    ) {
        self.init(JSONProperty(key, schema, meaning), write: write)
    }

    fileprivate init(_ property: JSONProperty, write: @escaping @Sendable (inout JSONWriter, Object) -> Void) {
        (self.property, self.write) = (property, write)
    }

    /// A field of a value that can be written.
    package static func value<Value: JSONWritable & SendableMetatype>(
        _ key: String, _ schema: JSONSchema, _ meaning: String = "", _ value: @escaping @Sendable (Object) -> Value
    ) -> Self {
        Self(key, schema, meaning) { $0.field(key, value($1)) }
    }

    /// A field of a value that can be written; null if it is nil.
    package static func value<Value: JSONWritable & SendableMetatype>(
        _ key: String, _ schema: JSONSchema, _ meaning: String = "", _ value: @escaping @Sendable (Object) -> Value?
    ) -> Self {
        Self(key, schema, meaning) { json, object in
            // Without the witness of an optional value, which the runtime would look up for each field of each reading.
            if let value = value(object) { json.field(key, value) } else { json.null(key) }
        }
    }

    /// A field of a value as its `encode(to:)` writes it, which stored files have as well; null if it is nil.
    package static func encoded<Value: Encodable & SendableMetatype>(
        _ key: String, _ schema: JSONSchema, _ meaning: String = "", _ value: @escaping @Sendable (Object) -> Value?
    ) -> Self {
        Self(key, schema, meaning) { $0.field(key, value($1).map { EncodedJSON(JSONText.data(of: $0)) }) }
    }

    /// A field of a number with at most so many decimals; null if it is nil.
    package static func number(
        _ key: String, _ schema: JSONSchema, decimals: Int, _ meaning: String = "",
        _ value: @escaping @Sendable (Object) -> Double?
    ) -> Self {
        Self(key, schema, meaning) { $0.field(key, value($1), decimals: decimals) }
    }

    /// A field of an object with a number for each channel; null if it is nil.
    package static func channels<Meaning: SendableMetatype>(
        _ key: String, _ schema: JSONSchema, decimals: Int, _ meaning: String = "",
        _ value: @escaping @Sendable (Object) -> Channels<Double, Meaning>?
    ) -> Self {
        Self(key, schema, meaning) { $0.field(key, value($1), decimals: decimals) }
    }

    /// A field of an object with some fields of the same value.
    package static func object(_ key: String, _ meaning: String = "", _ fields: JSONFieldList<Object>) -> Self {
        Self(key, fields.schema, meaning) { json, object in json.field(key) { fields.write(&$0, object) } }
    }

    /// A field of an object with the fields of a part.
    package static func object<Part>(
        _ key: String, _ meaning: String = "", _ fields: JSONFieldList<Part>,
        _ part: @escaping @Sendable (Object) -> Part
    ) -> Self {
        Self(key, fields.schema, meaning) { json, object in
            let part = part(object)
            json.field(key) { fields.write(&$0, part) }
        }
    }

    /// A field of an object with the fields of a part; null if there is none.
    package static func objectOrNull<Part>(
        _ key: String, _ meaning: String = "", _ fields: JSONFieldList<Part>,
        _ part: @escaping @Sendable (Object) -> Part?
    ) -> Self {
        Self(key, fields.schema.orNull, meaning) { $0.field(key, of: part($1), fields.write) }
    }

    /// A field of a list of objects with the fields of parts.
    package static func objects<Part>(
        _ key: String, _ meaning: String = "", count: ClosedRange<Int> = 0...Int.max, _ fields: JSONFieldList<Part>,
        _ parts: @escaping @Sendable (Object) -> [Part]
    ) -> Self {
        Self(key, .array(of: fields.schema, count), meaning) { $0.field(key, ofEach: parts($1), fields.write) }
    }

    /// The field as one that is missing unless a condition holds.
    package func onlyIf(_ isPresent: @escaping @Sendable (Object) -> Bool) -> Self {
        Self(.optional(key, property.schema, meaning)) { if isPresent($1) { write(&$0, $1) } }
    }

    /// The field as one of another object.
    package func of<Outer>(_ object: @escaping @Sendable (Outer) -> Object) -> JSONField<Outer> {
        JSONField<Outer>(property) { write(&$0, object($1)) }
    }

    /// The field as one of another object, which is null if that lacks the object of this one.
    package func orNull<Outer>(_ object: @escaping @Sendable (Outer) -> Object?) -> JSONField<Outer> {
        JSONField<Outer>(key, property.schema.orNull, meaning) { json, outer in
            if let object = object(outer) { write(&json, object) } else { json.null(key) }
        }
    }
}

/// The fields of an object, in the alphabetical order of their keys.
package struct JSONFieldList<Object>: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
    package typealias Write = @Sendable (inout JSONWriter, Object) -> Void

    private let fields: [JSONField<Object>]
    /// Writes all fields. It is made of the functions of the fields, once: in a loop, the runtime would look up the
    /// metadata of generic types for each object of each reading.
    package let write: Write

    package init(_ fields: [JSONField<Object>]) {
        self.fields = fields.sorted { $0.key < $1.key }
        var write: Write = { _, _ in }
        for field in self.fields {
            let before = write
            write = {
                before(&$0, $1)
                field.write(&$0, $1)
            }
        }
        self.write = write
    }

    package init(arrayLiteral fields: JSONField<Object>...) { self.init(fields) }

    package var startIndex: Int { fields.startIndex }
    package var endIndex: Int { fields.endIndex }
    package subscript(index: Int) -> JSONField<Object> { fields[index] }

    package var schema: JSONSchema { .object(fields.map(\.property)) }
}

/// An object whose fields are declared in a list.
package protocol JSONFields: JSONObject {
    static var fields: JSONFieldList<Self> { get }
}

extension JSONFields {
    package static var schema: JSONSchema { fields.schema }

    package func writeFields(to json: inout JSONWriter) { Self.fields.write(&json, self) }
}

/// An item that a client has set or deleted, with the reason why the change is not stored.
package struct Stored<Item: JSONFields & Sendable>: JSONFields {
    private let item: Item
    private let problem: String?

    /// - Parameter problem: The reason, in sentences; nil if the item is stored.
    package init(_ item: Item, problem: String?) { (self.item, self.problem) = (item, problem) }

    package static var fields: JSONFieldList<Self> {
        JSONFieldList(
            Item.fields.map { $0.of(\.item) } + [
                .value(
                    "problem", .string.orNull,
                    "Why the change will be forgotten when the program ends; null if it is kept."
                ) { $0.problem }
            ])
    }
}

extension JSONWriter {
    /// Writes a key and channels with at most so many decimals; null if they are nil.
    package mutating func field<Meaning>(_ key: String, _ channels: Channels<Double, Meaning>?, decimals: Int) {
        field(key, of: channels) { json, channels in
            json.field("b", channels.b, decimals: decimals)
            json.field("g", channels.g, decimals: decimals)
            json.field("r", channels.r, decimals: decimals)
        }
    }
}
