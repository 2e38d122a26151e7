import Configuration
import FoundationEssentials
import Readings
import Synchronization

/// A writer that adds the rows and marks gathered since the last time to the tables of a folder.
final class TableWriter: Sendable {
    private let rows: PendingRows
    private let history: History
    private let description: @Sendable () -> [String]
    private let date: @Sendable () -> Date
    private let marks = Mutex(PendingMarks())

    /// - Parameters:
    ///   - rows: The rows that the history has gathered.
    ///   - history: Has the marks.
    ///   - description: Returns what the readings depend on at this moment.
    ///   - date: Returns the time of day.
    init(
        rows: PendingRows, history: History, date: @escaping @Sendable () -> Date,
        description: @escaping @Sendable () -> [String]
    ) {
        self.rows = rows
        self.history = history
        self.date = date
        self.description = description
    }

    /// Begins with another folder.
    func begin() { marks.withLock { $0.begin() } }

    /// Writes the complete rows and the marks, and deletes the tables of the oldest days. Anything that cannot be
    /// written is kept for the next time.
    /// - Parameter isLast: Whether nothing follows, so that no mark waits.
    /// - Returns: The names of the deleted files.
    func write(
        to folder: TableFolder, _ settings: Config.History, isLast: Bool
    ) throws(TableFolder.Problem) -> [String] {
        rows.complete(at: date())
        try folder.open()
        try writeRows(to: folder)
        try writeMarks(to: folder, isLast: isLast)
        return folder.prune(
            to: settings.retentionDays, bytes: settings.maxSize * 1_000_000, besides: DailyTable(of: date()).day)
    }

    private func writeRows(to folder: TableFolder) throws(TableFolder.Problem) {
        let (csv, batch) = (ReadingCSV(), rows.batch)
        var (number, left) = (batch.first, batch.rows[...])
        while let first = left.first {
            let table = DailyTable(of: first.time)
            let day = left.prefix { DailyTable(of: $0.time) == table }
            try folder.append(day.map { csv.line($0, since: table.start) }, to: table)
            number += day.count
            left = left.dropFirst(day.count)
            rows.remove(before: number)
        }
    }

    private func writeMarks(to folder: TableFolder, isLast: Bool) throws(TableFolder.Problem) {
        let description = description()
        try marks.withLock { marks throws(TableFolder.Problem) in
            try marks.write(history.marks(after: marks.lastID), settings: description, at: date(), isLast: isLast) {
                lines, table throws(TableFolder.Problem) in try folder.append(lines, to: table)
            }
        }
    }
}
