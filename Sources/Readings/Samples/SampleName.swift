import Untrusted

/// The name of a sample: one printable line of bounded length.
package struct SampleName: Equatable, Sendable {
    /// The greatest number of characters, counted as Unicode scalars.
    package static let maxLength = 100

    package let text: String

    /// Makes a name from a client's text. Control characters and the like are replaced, so no name breaks a line.
    /// - Parameter id: The number of the sample, after which it is named if the text is empty.
    /// - Returns: Nil if the text is too long.
    package init?(_ text: String, id: Int) {
        let trimmed = text.trimmed
        guard trimmed.unicodeScalars.count <= Self.maxLength else { return nil }
        self.text = trimmed.isEmpty ? "Sample \(id)" : trimmed.sanitized(limit: Self.maxLength)
    }

    /// Makes a name from a stored text, which is cut off if it is too long.
    init(stored text: String, id: Int) {
        self.text = Self(text.sanitized(limit: Self.maxLength), id: id)?.text ?? "Sample \(id)"
    }
}
