extension Decoder {
    /// Returns a keyed container, but refuses unknown keys, so that a misspelt key is an error.
    /// - Throws: A `DecodingError` if the object has an unknown key, or if the value is not an object.
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

/// Any key of an object.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}
