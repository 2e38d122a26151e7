/// The form of a table of comma-separated values (RFC 4180): its separator and its decimal point.
///
/// Every line ends with CR and LF.
package struct CSVFormat: Equatable, Sendable {
    /// A comma as the separator, and a point before the decimals.
    package static let standard = CSVFormat(uncheckedSeparator: ",", decimalPoint: ".")

    /// The text between two cells, a single character of ASCII.
    package let separator: String
    /// The text between a whole number and its decimals, a single character of ASCII.
    package let decimalPoint: String

    /// - Parameters:
    ///   - separator: A comma, a semicolon or a tab.
    ///   - decimalPoint: A point or a comma, but not the separator. The initializer returns nil for anything else.
    package init?(separator: String, decimalPoint: String) {
        guard [",", ";", "\t"].contains(separator), [".", ","].contains(decimalPoint), separator != decimalPoint
        else { return nil }
        self.init(uncheckedSeparator: separator, decimalPoint: decimalPoint)
    }

    private init(uncheckedSeparator separator: String, decimalPoint: String) {
        self.separator = separator
        self.decimalPoint = decimalPoint
    }

    /// Returns the line of a row.
    package func line(_ cells: [CSVCell]) -> String { cells.map(text).joined(separator: separator) + "\r\n" }

    /// Returns the line of a comment, which begins with `#`.
    ///
    /// Programs that do not know comments read it as a row. A quotation mark, which could hide the rows below it from
    /// them, becomes an apostrophe.
    package func comment(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line.append("'")
            case "\r", "\n": line.append(" ")
            default: line.append(scalar)
            }
        }
        return "# " + String(line).withoutFormulas + "\r\n"
    }

    private func text(_ cell: CSVCell) -> String {
        switch cell {
        case .word(let word): word ?? ""
        case .text(let text): text.map(quoted) ?? ""
        case .integer(let integer): integer.map { String($0) } ?? ""
        case .number(let number, let decimals): number.map { formatted($0, decimals) } ?? ""
        }
    }

    private func formatted(_ number: Double, _ decimals: Int) -> String {
        let text = number.rounded(decimals: decimals).formatted(decimals: decimals)
        return decimalPoint == "." ? text : text.split(separator: ".").joined(separator: decimalPoint)
    }

    private func quoted(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        let parts = text.withoutFormulas.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.joined(separator: "\"\""))\""
    }
}
