extension String {
    /// The text with an apostrophe before every character that would begin a formula in a spreadsheet.
    ///
    /// A spreadsheet may use a separator other than the file's, so a cell can also begin inside the text (OWASP, "CSV
    /// Injection").
    package var withoutFormulas: String {
        var result = UnicodeScalarView()
        var isStart = true
        for scalar in unicodeScalars {
            if isStart, "=+-@＝＋－＠\t\r\n".unicodeScalars.contains(scalar) { result.append("'") }
            isStart = ",;|\t\r\n\"".unicodeScalars.contains(scalar) || (isStart && scalar.properties.isWhitespace)
            result.append(scalar)
        }
        return String(result)
    }
}
