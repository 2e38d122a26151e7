extension Decoder {
    /// A container of keys that have been looked at: a misspelt one is an error, and not ignored.
    /// - Throws: A `DecodingError` when there is a key that is none of these, or no object at all.
    func container<Key: CodingKey & CaseIterable>(
        refusingKeysBeyond type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let known = Key.allCases.map(\.stringValue)
        let container = try container(keyedBy: AnyKey.self)
        for key in container.allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "an unknown key")
        }
        return try self.container(keyedBy: type)
    }
}

/// A key as it stands in the object.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}
