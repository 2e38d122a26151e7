extension String {
    /// The line and column of an index.
    func position(of index: Index) -> TextPosition {
        var position = TextPosition(line: 1, column: 1)
        for scalar in unicodeScalars[..<index] {
            if scalar == "\n" {
                position = TextPosition(line: position.line + 1, column: 1)
            } else {
                position.column += 1
            }
        }
        return position
    }
}
