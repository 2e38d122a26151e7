/// A position in a text, as editors count it: lines and columns from 1, one column for each Unicode scalar.
struct TextPosition: Hashable, Comparable, Sendable {
    var line: Int
    var column: Int

    static func < (a: TextPosition, b: TextPosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}
