package import FoundationEssentials

/// A table of comma-separated values with the marks of a day, and with rows for the settings that its readings depend
/// on.
package enum MarkCSV {
    /// The kind of the rows that are not marks.
    private static let settings = "settings"

    /// The line with the names of the columns.
    package static var header: String { CSVFormat.standard.line(["time_iso", "kind", "text"].map { .word($0) }) }

    /// Returns the line of a mark.
    package static func line(_ mark: Mark) -> String { line(mark.time, mark.kind.rawValue, mark.text) }

    /// Returns the line of a setting that readings depend on from this moment on.
    package static func line(_ setting: String, at time: Date) -> String { line(time, settings, setting) }

    /// Reads the row of a mark; nil if the row is damaged, or is not that of a mark. The mark has the number 0.
    package static func mark(_ line: some StringProtocol) -> Mark? {
        guard let cells = CSVFormat.standard.cells(of: line), cells.count == 3, let time = Date(timestamp: cells[0]),
            let kind = Mark.Kind(rawValue: cells[1]), let text = Mark.text(cells[2])
        else { return nil }
        return Mark(time: time, kind: kind, text: text)
    }

    /// Returns the source of a row, without examining the rest of it. A row that is not a mark counts as a setting.
    package static func source(of line: some StringProtocol) -> Mark.Source {
        let cells = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard cells.count == 3, let kind = Mark.Kind(rawValue: String(cells[1])) else { return .settings }
        return kind == .user ? .client("") : .program(kind)
    }

    private static func line(_ time: Date, _ kind: String, _ text: String) -> String {
        CSVFormat.standard.line([.word(time.timestamp), .word(kind), .text(text)])
    }
}
