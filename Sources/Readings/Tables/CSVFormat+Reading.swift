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
