/// A field of a JSON object, declared once: how it is written, and how it is described.
package struct JSONField<Object>: Sendable {
    package let key: String
    /// The schema of the value in OpenAPI 3.1, without its description.
    package let schema: JSONSchema
    /// Sentences in Markdown, for the documentation and the schema.
    package let meaning: String
    /// Writes the key and the value.
    package let write: @Sendable (inout JSONWriter, Object) -> Void

    package init(
        _ key: String, _ schema: JSONSchema, _ meaning: String,
        write: @escaping @Sendable (inout JSONWriter, Object) -> Void
    ) {
        (self.key, self.schema, self.meaning, self.write) = (key, schema, meaning, write)
    }

    /// A field of a value that can be written; null if it is nil.
    package static func value<Value: JSONWritable & SendableMetatype>(
        _ key: String, _ schema: JSONSchema, _ meaning: String, _ value: @escaping @Sendable (Object) -> Value?
    ) -> Self {
        Self(key, schema, meaning) { $0.field(key, value($1)) }
    }

    /// A field of a number with at most so many decimals; null if it is nil.
    package static func number(
        _ key: String, _ schema: JSONSchema, decimals: Int, _ meaning: String,
        _ value: @escaping @Sendable (Object) -> Double?
    ) -> Self {
        Self(key, schema, meaning) { $0.field(key, value($1), decimals: decimals) }
    }
}

/// The schema of a value.
package struct JSONSchema: Sendable {
    /// The fields of the schema in JSON, without braces.
    package let text: String

    package static func type(_ name: String, _ rest: String = "") -> Self {
        Self("\"type\": \"\(name)\"" + (rest.isEmpty ? "" : ", \(rest)"))
    }

    /// A value of a type, or null.
    package static func optional(_ name: String, _ rest: String = "") -> Self {
        Self("\"type\": [\"\(name)\", \"null\"]" + (rest.isEmpty ? "" : ", \(rest)"))
    }

    /// A value by the schema of a component.
    package static func component(_ name: String) -> Self { Self("\"$ref\": \"#/components/schemas/\(name)\"") }

    /// A value by the schema of a component, or null.
    package static func optionalComponent(_ name: String) -> Self {
        Self("\"anyOf\": [{ \(component(name).text) }, { \"type\": \"null\" }]")
    }

    package init(_ text: String) { self.text = text }
}

/// An object whose fields are declared in a list, in the alphabetical order of their keys.
package protocol JSONFields: JSONObject {
    static var fields: [JSONField<Self>] { get }
}

extension JSONFields {
    package func writeFields(to json: inout JSONWriter) {
        for field in Self.fields { field.write(&json, self) }
    }
}
