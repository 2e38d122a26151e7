/// The name that a person has given to something, such as a probe. Two names are equal if their bytes are.
///
/// Swift's strings are equal if they look alike, whatever their bytes (Unicode, canonical equivalence). Comparing them
/// takes longer the more combining marks there are, and two names that clients tell apart would be one here.
package struct Name: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// A thing that people have named.
package protocol Named {
    var name: Name { get }
}

extension Array where Element: Named {
    /// Sets a thing, at the place of the one of its name or else at the end.
    /// - Parameters:
    ///   - maxCount: The maximum number of things.
    ///   - prepare: Changes the others, if this one is set.
    /// - Returns: Whether it is new; nil if it was not set, because there are too many.
    package mutating func set(
        _ thing: Element, upTo maxCount: Int, preparing prepare: (inout [Element]) -> Void = { _ in }
    ) -> Bool? {
        let index = firstIndex { $0.name == thing.name }
        guard index != nil || count < maxCount else { return nil }
        prepare(&self)
        if let index { self[index] = thing } else { append(thing) }
        return index == nil
    }

    /// Removes the thing of a name, and returns it; nil if there is none.
    package mutating func remove(_ name: Name?) -> Element? {
        firstIndex { $0.name == name }.map { remove(at: $0) }
    }
}

extension Name: CustomStringConvertible {
    package var description: String { text }
}

extension Name: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }
}

extension Name: Codable {
    package init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
