package import FoundationEssentials

/// A day's marks as a table of comma-separated values, with what its readings depend on in rows of their own.
package enum MarkCSV {
    /// The kind of the rows that are not marks.
    private static let settings = "settings"

    /// The line with the names of the columns.
    package static var header: String { CSVFormat.standard.line(["time_iso", "kind", "text"].map { .word($0) }) }

    /// The line of a mark.
    package static func line(_ mark: Mark) -> String { line(mark.time, mark.kind.rawValue, mark.text) }

    /// The line of something that readings depend on from this moment.
    package static func line(_ setting: String, at time: Date) -> String { line(time, settings, setting) }

    /// Reads the row of a mark, which has the number 0; nil if it is not one, or is damaged.
    package static func mark(_ line: some StringProtocol) -> Mark? {
        guard let cells = CSVFormat.standard.cells(of: line), cells.count == 3, let time = Date(timestamp: cells[0]),
            let kind = Mark.Kind(rawValue: cells[1]), let text = Mark.text(cells[2])
        else { return nil }
        return Mark(id: 0, time: time, kind: kind, text: text)
    }

    private static func line(_ time: Date, _ kind: String, _ text: String) -> String {
        CSVFormat.standard.line([.word(time.timestamp), .word(kind), .text(text)])
    }
}
