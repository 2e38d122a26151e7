/// A position in a text, as editors count it: lines and columns from 1, one column for each Unicode scalar.
struct TextPosition: Hashable, Comparable, Sendable {
    var line: Int
    var column: Int

    /// Moves on by one scalar.
    mutating func advance(past scalar: Unicode.Scalar) {
        (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }

    static func < (a: TextPosition, b: TextPosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}

extension String {
    /// Returns the line and column of an index.
    func position(of index: Index) -> TextPosition {
        var position = TextPosition(line: 1, column: 1)
        for scalar in unicodeScalars[..<index] { position.advance(past: scalar) }
        return position
    }

    /// Returns a position that another source reports; the end of the text if the position is outside of it.
    func nearest(_ position: TextPosition) -> TextPosition {
        let lines = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(position.line - 1), 1...lines[position.line - 1].count + 1 ~= position.column
        else {
            return self.position(of: endIndex)
        }
        return position
    }
}
