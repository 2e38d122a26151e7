import Color
import Untrusted

/// A palette of GIMP, Inkscape and Krita (developer.gimp.org, "GIMP Palette Format Version 2").
///
/// Below a header, each line has R, G and B as whole numbers and a name. Lines that begin with `#` are comments.
enum GIMPPalette {
    static let signature = "GIMP Palette"

    /// - Parameter lines: The lines of the file, of which the first is the signature.
    static func entries(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var entries: [Palette.Entry] = []
        for (index, line) in lines.enumerated().dropFirst() {
            // Only the lines right below the signature are a header, but other programs are not so strict.
            let isHeader = entries.isEmpty && (line.hasPrefix("Name:") || line.hasPrefix("Columns:"))
            guard !isHeader, !line.trimmed.isEmpty, !line.hasPrefix("#") else { continue }
            let words = line.split(maxSplits: 3) { $0 == " " || $0 == "\t" }
            let channels = words.prefix(3).compactMap { UInt8($0) }
            guard channels.count == 3 else {
                throw .init(line: index + 1, "expected three whole numbers of 0...255 and a name")
            }
            guard entries.count < Palette.maxCount else { throw .tooMany }
            let color = RGB8(r: channels[0], g: channels[1], b: channels[2])
            entries.append(.init(name: words.count > 3 ? String(words[3]) : "", rgb: RGB(color)))
        }
        return entries
    }
}

/// A table of comma-separated values (RFC 4180), separated by commas, semicolons or tabs: a name and a colour in
/// hexadecimal, in either order, a name and R, G and B, or a name and L*, a* and b*.
///
/// Three numbers are CIELAB if the first line names its columns so, or if any number of the file has decimals or a sign.
enum ColorTable {
    /// - Parameter lines: The lines of the file. The first may have the names of the columns.
    static func entries(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var entries: [Palette.Entry] = []
        var separator: CSVFormat?
        var hasRows = false
        let isLab = isLab(lines)
        for (index, line) in lines.enumerated() where !line.trimmed.isEmpty {
            let format = separator ?? format(of: line)
            separator = format
            guard let cells = format.cells(of: line)?.map({ $0.trimmed }) else {
                throw .init(line: index + 1, "a quotation mark is out of place")
            }
            if let entry = entry(cells, isLab: isLab, format) {
                guard entries.count < Palette.maxCount else { throw .tooMany }
                entries.append(entry)
            } else if hasRows || !isHeader(cells) {
                throw .init(
                    line: index + 1,
                    isLab
                        ? "expected a name and L*, a* and b*, such as Leaf,43.46,-12.74,22.72"
                        : "expected a name and a colour such as #3FA7D6, or a name and three whole numbers of 0...255")
            }
            hasRows = true
        }
        return entries
    }

    /// Returns the format whose separator occurs first in a line.
    private static func format(of line: Substring) -> CSVFormat {
        let separator = line.first { ",;\t".contains($0) } ?? ","
        return CSVFormat(separator: String(separator), decimalPoint: ".") ?? .standard
    }

    /// Whether rows of four cells have L*, a* and b*.
    private static func isLab(_ lines: [Substring]) -> Bool {
        let rows = lines.lazy.filter { !$0.trimmed.isEmpty }
        guard let format = rows.first.map(format) else { return false }
        let tables = rows.lazy.compactMap { format.cells(of: $0)?.map(\.trimmed) }.filter { $0.count == 4 }
        if tables.first?.dropFirst().map({ $0.lowercased().first }) == ["l", "a", "b"] { return true }
        return tables.contains { cells in
            let numbers = cells.dropFirst().map(decimal(in: format))
            return numbers.allSatisfy { Double($0) != nil }
                && numbers.contains { $0.contains(".") || $0.hasPrefix("-") }
        }
    }

    /// Returns a function that replaces a decimal comma, which a table without commas between its cells may have.
    private static func decimal(in format: CSVFormat) -> (String) -> String {
        {
            format.separator == ","
                ? $0 : $0.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ".")
        }
    }

    /// Whether these may be the names of columns: texts without a digit.
    private static func isHeader(_ cells: [String]) -> Bool {
        cells.count > 1 && !cells.contains { $0.contains { $0.isNumber } }
    }

    private static func entry(_ cells: [String], isLab: Bool, _ format: CSVFormat) -> Palette.Entry? {
        switch cells.count {
        case 1: return color(cells[0]).map { .init(name: "", rgb: $0) }
        case 2:
            // A name such as "facade" could be a colour, too, so one that begins with # comes first.
            let orders = [(name: cells[0], color: cells[1]), (name: cells[1], color: cells[0])]
            let order =
                orders.first { $0.color.hasPrefix("#") && color($0.color) != nil }
                ?? orders.first {
                    color($0.color) != nil
                }
            return order.flatMap { order in color(order.color).map { .init(name: order.name, rgb: $0) } }
        case 4 where isLab:
            let numbers = cells.dropFirst().compactMap { Double(decimal(in: format)($0)) }
            return CIELab(numbers).map { .init(name: cells[0], lab: $0) }
        case 4:
            let channels = cells.dropFirst().compactMap { UInt8($0) }
            guard channels.count == 3 else { return nil }
            return .init(name: cells[0], rgb: RGB(RGB8(r: channels[0], g: channels[1], b: channels[2])))
        default: return nil
        }
    }

    private static func color(_ cell: String) -> RGB? { RGB8(hex: cell).map { RGB($0) } }
}
