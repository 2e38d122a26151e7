import Color
import Documents
import Untrusted

/// A table of comma-separated values (RFC 4180), separated by commas, semicolons or tabs.
///
/// If the first line names the columns, it decides what they are, and rows that contradict it are refused. Without it,
/// a row has a colour in hexadecimal, perhaps with a name before or after it, or a name and three numbers. These are
/// CIELAB if any number of the file has decimals or a sign, and R, G and B if not.
enum ColorTable {
    private typealias Row = (line: Int, cells: [String])

    /// - Parameter lines: The lines of the file.
    static func entries(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var rows = try rows(lines)[...]
        guard let first = rows.first else { return [] }
        let header = try ColorHeader(first.cells, line: first.line)
        if header != nil || isTitle(first.cells) { rows.removeFirst() }
        let isLab = rows.contains { hasDecimals($0.cells) }
        var entries: [Palette.Entry] = []
        for row in rows {
            let entry: Palette.Entry
            if let header {
                entry = try header.entry(row.cells, line: row.line)
            } else if let read = Self.entry(row.cells, isLab: isLab) {
                entry = read
            } else {
                throw .init(
                    line: row.line,
                    isLab
                        ? "expected a name and L*, a* and b*, such as Leaf,43.46,-12.74,22.72"
                        : "expected a name and a colour such as #3FA7D6, or a name and three whole numbers of 0...255")
            }
            guard entries.count < Palette.maxCount else { throw .tooMany }
            entries.append(entry)
        }
        try header?.checkScale(rows.map(\.cells))
        return entries
    }

    /// Returns the rows with any cells.
    private static func rows(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Row] {
        var rows: [Row] = []
        var format: CSVFormat?
        for (index, line) in lines.enumerated() where !line.trimmed.isEmpty {
            if format == nil, let stated = statedFormat(line) {
                format = stated
                continue
            }
            let known = format ?? self.format(of: line)
            format = known
            guard let cells = known.cells(of: line)?.map({ $0.trimmed }) else {
                throw .init(line: index + 1, "a quotation mark is out of place")
            }
            // A spreadsheet writes separators for empty rows.
            guard cells.contains(where: { !$0.isEmpty }) else { continue }
            // A header is a row, too.
            guard rows.count <= Palette.maxCount else { throw .tooMany }
            rows.append((index + 1, cells))
        }
        return rows
    }

    /// Returns the format that a first line of `sep=;` states, which Excel reads and some programs write.
    private static func statedFormat(_ line: Substring) -> CSVFormat? {
        line.lowercased().rest(after: "sep=").flatMap {
            CSVFormat(separator: String($0), decimalPoint: $0 == "," ? "." : ",")
        }
    }

    /// Returns the format that makes a row of colours, or a header, of the first line.
    private static func format(of line: Substring) -> CSVFormat {
        let formats = ["\t", ";", ","].compactMap { CSVFormat(separator: $0, decimalPoint: ".") }
            .filter { $0.cells(of: line).map { $0.count > 1 } ?? false }
        let fitting = formats.first { format in
            let cells = format.cells(of: line)?.map { $0.trimmed } ?? []
            return ColorHeader.hasColor(cells) || isTitle(cells) || entry(cells, isLab: hasDecimals(cells)) != nil
        }
        return fitting ?? formats.first ?? .standard
    }

    /// Whether these may be the titles of columns: texts without a digit.
    private static func isTitle(_ cells: [String]) -> Bool {
        cells.count > 1 && !cells.contains { $0.contains { $0.isNumber } } && entry(cells, isLab: false) == nil
    }

    /// Whether this is a name and three numbers, of which one has decimals or a sign.
    private static func hasDecimals(_ cells: [String]) -> Bool {
        let numbers = cells.dropFirst()
        return cells.count == 4 && numbers.allSatisfy { PaletteFile.number($0) != nil }
            && numbers.contains { UInt($0) == nil || $0.hasPrefix("+") }
    }

    /// Returns the entry of a row in a table without a header.
    private static func entry(_ cells: [String], isLab: Bool) -> Palette.Entry? {
        switch cells.count {
        case 1: return RGB8(hex: cells[0]).map { .init(name: "", rgb: RGB($0)) }
        case 2:
            // A name such as "facade" could be a colour, too, so one that begins with # comes first.
            let orders = [(name: cells[0], color: cells[1]), (name: cells[1], color: cells[0])]
            let colors = orders.compactMap { order in RGB8(hex: order.color).map { (order, RGB($0)) } }
            let (order, color) = colors.first { $0.0.color.hasPrefix("#") } ?? colors.first ?? (orders[0], nil)
            return color.map { .init(name: order.name, rgb: $0) }
        case 4 where isLab:
            return CIELab(cells.dropFirst().compactMap(PaletteFile.number)).map { .init(name: cells[0], lab: $0) }
        case 4:
            let channels = cells.dropFirst().compactMap { UInt8($0) }
            guard channels.count == 3 else { return nil }
            return .init(name: cells[0], rgb: RGB(RGB8(r: channels[0], g: channels[1], b: channels[2])))
        default: return nil
        }
    }
}

/// The first line of a table, which names its columns, such as `Name,LAB_L,LAB_A,LAB_B`.
private struct ColorHeader {
    private enum Model {
        case lab, rgb, hex

        /// The names of the columns, side by side.
        var names: [String] {
            switch self {
            case .lab: ["l", "a", "b"]
            case .rgb: ["r", "g", "b"]
            case .hex: ["hex"]
            }
        }

        var expectation: String {
            switch self {
            case .lab: "L* of 0...110, and a* and b* of -200...200"
            case .rgb: "R, G and B of 0...255"
            case .hex: "a colour such as #3FA7D6"
            }
        }
    }

    private let model: Model
    /// The columns of the colour.
    private let columns: Range<Int>
    private let name: Int?
    private let count: Int
    private let line: Int

    /// - Returns: Nil if this is not a header, or one that does not say what the columns are and need not.
    init?(_ cells: [String], line: Int) throws(PaletteFile.Problem) {
        let titles = cells.map(Self.title)
        guard Self.hasColor(cells) || !cells.contains(where: { $0.contains { $0.isNumber } }) else { return nil }
        // Measured colours come before those that were computed from them.
        let places = [Model.lab, .rgb, .hex].map { ($0, Self.places(of: $0, in: titles)) }
        guard let (model, found) = places.first(where: { !$0.1.isEmpty }), let first = found.first else {
            // Two columns are a name and a colour in hexadecimal, whatever they are called.
            guard cells.count > 2 else { return nil }
            throw .init(line: line, "no columns are called R, G and B, or L, a and b, side by side, or hex")
        }
        guard found.count == 1 else {
            throw .init(line: line, "two columns are called \(cells[first].sanitized(limit: 40))")
        }
        self.model = model
        columns = first..<first + model.names.count
        (count, self.line) = (cells.count, line)
        let others = cells.indices.filter { index in
            !places.contains { model, found in found.contains { $0..<$0 + model.names.count ~= index } }
        }
        name = others.first { titles[$0].contains("name") } ?? others.first
    }

    /// Whether titles name the columns of a colour.
    static func hasColor(_ cells: [String]) -> Bool {
        let titles = cells.map(title)
        // A colour may be called Hex.
        return !cells.contains { $0.hasPrefix("#") }
            && [Model.lab, .rgb, .hex].contains { !places(of: $0, in: titles).isEmpty }
    }

    private static func places(of model: Model, in titles: [String]) -> [Int] {
        titles.indices.filter { titles[$0...].starts(with: model.names) }
    }

    /// Returns the letters of a title, without the colour space, in lower case: `l` for `LAB_L`, `L*` and `CIE L*`.
    private static func title(_ cell: String) -> String {
        let letters = cell.lowercased().filter(\.isLetter)
        switch letters {
        case "red": return "r"
        case "green": return "g"
        case "blue": return "b"
        case "html", "hexcode", "htmlcode": return "hex"
        default:
            let spaces = ["cielab", "cie", "lab", "srgb", "rgb"]
            return spaces.lazy.compactMap { letters.rest(after: $0) }.first { !$0.isEmpty }.map { String($0) }
                ?? letters
        }
    }

    func entry(_ cells: [String], line: Int) throws(PaletteFile.Problem) -> Palette.Entry {
        guard cells.count >= count, cells.dropFirst(count).allSatisfy(\.isEmpty) else {
            throw .init(line: line, "expected \(count) cells, as in line \(self.line), not \(cells.count)")
        }
        let name = name.map { cells[$0] } ?? ""
        let numbers = cells[columns].compactMap(PaletteFile.number)
        let entry: Palette.Entry? =
            switch model {
            case .lab: CIELab(numbers).map { .init(name: name, lab: $0) }
            case .rgb:
                numbers.count == 3 && numbers.allSatisfy { 0...255 ~= $0 }
                    ? .init(name: name, rgb: RGB(r: numbers[0], g: numbers[1], b: numbers[2])) : nil
            case .hex: RGB8(hex: cells[columns.lowerBound]).map { .init(name: name, rgb: RGB($0)) }
            }
        guard let entry else {
            throw .init(line: line, "expected \(model.expectation), as line \(self.line) names the columns")
        }
        return entry
    }

    /// Refuses R, G and B that are shares of 1: they would all be nearly black.
    func checkScale(_ rows: [[String]]) throws(PaletteFile.Problem) {
        guard model == .rgb else { return }
        let numbers = rows.flatMap { $0[columns].compactMap(PaletteFile.number) }
        if numbers.allSatisfy({ $0 <= 1 }), numbers.contains(where: { 0 < $0 && $0 < 1 }) {
            throw .init(line: line, "all numbers of R, G and B are within 0...1; multiply them by 255")
        }
    }
}
