/// The schema of a value in JSON Schema 2020-12, as OpenAPI 3.1 has it.
package struct JSONSchema: Sendable, ExpressibleByDictionaryLiteral {
    private var keywords: [(key: String, value: JSONTree)]

    package init(dictionaryLiteral elements: (String, JSONTree)...) { keywords = elements.map { ($0, $1) } }

    /// A schema of these keywords.
    package init(_ keywords: KeyValuePairs<String, JSONTree>) { self.keywords = keywords.map { ($0, $1) } }

    private init(_ type: String, _ rest: (key: String, value: JSONTree?)...) {
        keywords = [("type", .string(type))]
        for (key, value) in rest { if let value { keywords.append((key, value)) } }
    }

    package var tree: JSONTree { .object(keywords) }

    package static let boolean = Self("boolean")
    package static let integer = Self("integer")
    package static let number = Self("number")
    package static let string = Self("string")
    package static let nonEmptyString = Self("string", ("minLength", 1))
    /// A time in ISO 8601.
    package static let time = Self("string", ("format", "date-time"))
    /// A colour as `#RRGGBB`.
    package static let hex = Self("string", ("pattern", "^#[0-9A-F]{6}$"))

    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Self("integer", ("minimum", .number(Double(range.lowerBound))), ("maximum", .number(Double(range.upperBound))))
    }

    package static func integer(from minimum: Int) -> Self { Self("integer", ("minimum", .number(Double(minimum)))) }

    package static func number(_ range: ClosedRange<Double>) -> Self {
        Self("number", ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)))
    }

    package static func number(from minimum: Double) -> Self { Self("number", ("minimum", .number(minimum))) }

    /// A text with so many characters.
    package static func string(_ length: ClosedRange<Int>) -> Self {
        Self(
            "string", ("minLength", length.lowerBound > 0 ? .number(Double(length.lowerBound)) : nil),
            ("maxLength", length.upperBound < .max ? .number(Double(length.upperBound)) : nil))
    }

    package static func string(pattern: String) -> Self { Self("string", ("pattern", .string(pattern))) }

    /// A list of so many values.
    package static func array(of items: JSONSchema, _ count: ClosedRange<Int> = 0...Int.max) -> Self {
        Self(
            "array", ("items", items.tree),
            ("minItems", count.lowerBound > 0 ? .number(Double(count.lowerBound)) : nil),
            ("maxItems", count.upperBound < .max ? .number(Double(count.upperBound)) : nil))
    }

    /// A list of objects with these fields and no others.
    package static func objects(_ fields: [JSONProperty], _ count: ClosedRange<Int> = 0...Int.max) -> Self {
        .array(of: .object(fields), count)
    }

    /// A value of one of these types.
    package static func types(_ names: String...) -> Self { ["type": .array(names.map { .string($0) })] }

    /// One of some words.
    package static func words(_ words: [String]) -> Self { ["enum": .array(words.map { .string($0) })] }

    /// One of the raw values of a type.
    package static func words<Word: RawRepresentable<String> & CaseIterable>(of _: Word.Type) -> Self {
        words(Word.allCases.map(\.rawValue))
    }

    /// A value by one of two components.
    package static func either(_ first: String, _ second: String) -> Self {
        ["anyOf": [component(first).tree, component(second).tree]]
    }

    /// An object with these fields and no others.
    package static func object(_ fields: [JSONProperty]) -> Self {
        var object = openObject(fields)
        object.keywords.append(("additionalProperties", false))
        return object
    }

    /// An object with these fields and perhaps others.
    package static func openObject(_ fields: [JSONProperty]) -> Self {
        Self(
            "object", ("required", .array(fields.filter { !$0.isOptional }.map { .string($0.key) })),
            ("properties", .object(fields.map { ($0.key, $0.schema.described($0.meaning).tree) })))
    }

    /// An object with a value for each channel.
    package static func channels(_ value: JSONSchema) -> Self {
        .object(["r", "g", "b"].map { JSONProperty($0, value) })
    }

    /// A value by the schema of a component.
    package static func component(_ name: String) -> Self {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// The same, or null.
    package var orNull: Self {
        var copy = self
        switch keywords.first {
        case ("type", .string(let type))?: copy.keywords[0].value = [.string(type), "null"]
        case ("enum", .array(let values))?: copy.keywords[0].value = .array(values + [nil])
        default: copy = ["anyOf": [tree, ["type": "null"]]]
        }
        return copy
    }

    /// The same with a sentence about it in Markdown, of whose links only the text stays, unless it has one.
    package func described(_ sentence: String) -> Self {
        guard !sentence.isEmpty, !keywords.contains(where: { $0.key == "description" }) else { return self }
        return with("description", .string(sentence.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }))
    }

    /// What both schemas allow.
    package func and(_ other: Self) -> Self { ["allOf": [tree, other.tree]] }

    /// What one of both schemas allows.
    package func or(_ other: Self) -> Self { ["oneOf": [tree, other.tree]] }

    package func examples(_ values: JSONTree...) -> Self { with("examples", .array(values)) }

    package func defaulting(to value: JSONTree) -> Self { with("default", value) }

    package func with(_ keyword: String, _ value: JSONTree) -> Self {
        var copy = self
        copy.keywords.append((keyword, value))
        return copy
    }
}

/// A field of a JSON object, as it is described.
package struct JSONProperty: Sendable {
    package let key: String
    package let schema: JSONSchema
    /// Sentences in Markdown; empty if the key says enough.
    package let meaning: String
    /// Whether it may be missing.
    package let isOptional: Bool

    package init(_ key: String, _ schema: JSONSchema, _ meaning: String = "", isOptional: Bool = false) {
        (self.key, self.schema, self.meaning, self.isOptional) = (key, schema, meaning, isOptional)
    }

    /// A field that may be missing.
    package static func optional(_ key: String, _ schema: JSONSchema, _ meaning: String = "") -> Self {
        Self(key, schema, meaning, isOptional: true)
    }
}
