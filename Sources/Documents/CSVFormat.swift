package import Color

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
    /// Whether a table begins with a byte order mark. Without one, Excel takes UTF-8 for the encoding of Windows.
    private let hasByteOrderMark: Bool

    /// - Parameters:
    ///   - separator: A comma, a semicolon or a tab.
    ///   - decimalPoint: A point or a comma, but not the separator. The initializer returns nil for anything else.
    package init?(separator: String, decimalPoint: String, hasByteOrderMark: Bool = false) {
        // By their bytes: U+037E equals a semicolon, but would not be written as one.
        func constant(_ text: String, of constants: [String]) -> String? {
            constants.first { $0.utf8.elementsEqual(text.utf8) }
        }
        guard let separator = constant(separator, of: [",", ";", "\t"]),
            let decimalPoint = constant(decimalPoint, of: [".", ","]), separator != decimalPoint
        else { return nil }
        self.init(
            uncheckedSeparator: separator, decimalPoint: decimalPoint, hasByteOrderMark: hasByteOrderMark)
    }

    private init(uncheckedSeparator separator: String, decimalPoint: String, hasByteOrderMark: Bool = false) {
        self.separator = separator
        self.decimalPoint = decimalPoint
        self.hasByteOrderMark = hasByteOrderMark
    }

    /// The text before the first line of a table.
    package var beginning: String { hasByteOrderMark ? "\u{FEFF}" : "" }

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

/// A cell of a table. A nil value, which is not known, becomes an empty cell.
package enum CSVCell: Equatable, Sendable {
    /// A word of the program's own, such as a state or a time, which needs no quotation marks.
    case word(String?)
    /// Any other text. It is quoted, and cannot become a formula in a spreadsheet.
    case text(String?)
    case integer(Int?)
    /// A number with a fixed number of decimals.
    case number(Double?, decimals: Int)
}

/// Methods that read a table back.
extension CSVFormat {
    private static let quotationMark = UInt8(ascii: "\"")

    /// The state of reading a cell.
    private enum Progress {
        case plain, quoted
        /// After a quotation mark in a quoted cell, which ends the cell or is the first of two.
        case closed
    }

    /// Returns the texts of the cells of a row, without their quotation marks; nil if a quotation mark is out of place.
    /// - Parameter line: The row, with or without its line break. A cell with a line break is not supported.
    package func cells(of line: some StringProtocol) -> [String]? {
        guard let separator = separator.utf8.first else { return nil }
        var cells: [String] = []
        var cell: [UInt8] = []
        var progress = Progress.plain
        for byte in line.utf8 where byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n") {
            switch (progress, byte) {
            case (.plain, separator), (.closed, separator):
                cells.append(String(decoding: cell, as: UTF8.self))
                cell.removeAll(keepingCapacity: true)
                progress = .plain
            case (.plain, Self.quotationMark):
                guard cell.isEmpty else { return nil }
                progress = .quoted
            case (.quoted, Self.quotationMark): progress = .closed
            case (.closed, Self.quotationMark):
                cell.append(byte)
                progress = .quoted
            case (.closed, _): return nil
            default: cell.append(byte)
            }
        }
        guard progress != .quoted else { return nil }
        return cells + [String(decoding: cell, as: UTF8.self)]
    }

    /// Returns the number in a cell; nil if it has none, or an infinite one.
    package func number(_ cell: String) -> Double? {
        let text = decimalPoint == "." ? cell : cell.split(separator: decimalPoint).joined(separator: ".")
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension String {
    /// The text with an apostrophe before every character that would begin a formula in a spreadsheet.
    ///
    /// A spreadsheet may use a separator other than the file's, so a cell can also begin inside the text (OWASP, "CSV
    /// Injection").
    package var withoutFormulas: String {
        var result = UnicodeScalarView()
        var isStart = true
        for scalar in unicodeScalars {
            if isStart, scalar.beginsFormula { result.append("'") }
            isStart = scalar.endsCell(isStart: isStart)
            result.append(scalar)
        }
        return String(result)
    }

    /// The text without the apostrophes that ``withoutFormulas`` has added. One that the text had in such a place
    /// before is removed, too.
    package var withFormulas: String {
        var result = UnicodeScalarView()
        var isStart = true
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if isStart, scalar == "'", rest.first?.beginsFormula == true { continue }
            isStart = scalar.endsCell(isStart: isStart)
            result.append(scalar)
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// Whether a spreadsheet takes a cell for a formula that begins with this character.
    fileprivate var beginsFormula: Bool { "=+-@＝＋－＠\t\r\n".unicodeScalars.contains(self) }

    /// Returns whether a cell may begin after this character.
    /// - Parameter isStart: Whether one may begin before it.
    fileprivate func endsCell(isStart: Bool) -> Bool {
        ",;|\t\r\n\"".unicodeScalars.contains(self) || (isStart && properties.isWhitespace)
    }
}

extension CSVCell {
    /// Returns a cell for each channel, which are empty if they are nil.
    package static func numbers<Meaning>(_ channels: Channels<Double, Meaning>?, decimals: Int) -> [CSVCell] {
        [channels?.r, channels?.g, channels?.b].map { .number($0, decimals: decimals) }
    }
}

/// Columns of a table that belong together. From them follow its header, its cells, how they are read back, and its row
/// in the documentation.
package struct CSVColumns<Row>: Sendable {
    package let names: [String]
    /// The end of a sentence, in Markdown.
    package let meaning: String
    /// Returns a cell for each name.
    package let cells: @Sendable (Row) -> [CSVCell]
    /// Sets what the cells say of a row; nil if that follows from other columns, or if the reader of the table needs them
    /// in any case.
    package private(set) var read: (@Sendable (CSVValues, inout Row) -> Void)?

    /// - Parameter texts: The names, and the meaning.
    package init(_ texts: String..., cells: @escaping @Sendable (Row) -> [CSVCell]) {
        (names, meaning, self.cells) = (texts.dropLast(), texts.last ?? "", cells)
    }

    package var header: [CSVCell] { names.map { .word($0) } }

    /// Returns the columns with the way in which their cells are read.
    package func reading(_ read: @escaping @Sendable (CSVValues, inout Row) -> Void) -> Self {
        var copy = self
        copy.read = read
        return copy
    }
}

/// The cells of a row in columns that belong together, in the order of their names. A cell without a column is empty.
package struct CSVValues {
    private let texts: [String]
    private let format: CSVFormat

    package init(_ texts: [String], _ format: CSVFormat) { (self.texts, self.format) = (texts, format) }

    package subscript(index: Int) -> String { texts[index] }

    /// Returns the number of a cell; nil if it is not a number, or out of range.
    package func number(_ index: Int = 0, in range: ClosedRange<Double>) -> Double? {
        format.number(texts[index]).flatMap { range ~= $0 ? $0 : nil }
    }

    /// Returns the numbers of the first three cells; nil if one of them is not a number, or out of range.
    package func triple(in range: ClosedRange<Double>) -> (Double, Double, Double)? {
        guard let first = number(0, in: range), let second = number(1, in: range), let third = number(2, in: range)
        else { return nil }
        return (first, second, third)
    }
}
