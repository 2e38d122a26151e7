import Configuration
import FoundationEssentials
import Handoff
import Readings
import Synchronization

/// A writer that adds the rows and marks gathered since the last time to the tables of a folder.
final class TableWriter: Sendable {
    /// What was done besides writing.
    struct Report: Equatable {
        /// The names of the files that were deleted.
        var deleted: [String] = []
        /// What is left out because a table has reached its limit, in a sentence; nil if nothing is.
        var omission: String?
    }

    private let rows: PendingRows
    private let history: History
    private let description: @Sendable () -> [String]
    private let clocks: Clocks
    private let marks = Mutex(MarkTables())

    /// - Parameters:
    ///   - rows: The rows that the history has gathered.
    ///   - history: Has the marks.
    ///   - description: Returns what the readings depend on at this moment.
    init(
        rows: PendingRows, history: History, clocks: Clocks, description: @escaping @Sendable () -> [String]
    ) {
        self.rows = rows
        self.history = history
        self.clocks = clocks
        self.description = description
    }

    /// Begins with another folder or other settings.
    func begin() { marks.withLock { $0.begin() } }

    /// Writes the complete rows and the program's marks, and deletes the tables of the oldest days. Anything that
    /// cannot be written is kept for the next time.
    /// - Parameter isLast: Whether nothing follows, so that no mark waits.
    func write(to folder: TableFolder, _ settings: Config.History, isLast: Bool) throws(TableFolder.Problem) -> Report {
        rows.complete(at: clocks.date())
        try folder.open()
        let now = clocks.date()
        let (today, marksOfToday) = (DailyTable(of: now), DailyTable(of: now, .marks))
        let probesOfToday = DailyTable(of: now, .probes)
        let maxSize = settings.maxSizes[.readings, default: 0]
        let isFull = try writeRows(to: folder, today, maxSize: maxSize - folder.size(of: probesOfToday))
        let probes = rows.probeBatch
        let areProbesFull = try writeProbes(
            probes, to: folder, probesOfToday,
            maxSize: min(settings.maxSizes[.probes, default: 0], maxSize - folder.size(of: today)))
        let limitedMarks = try writeMarks(to: folder, maxSize: settings.maxMarksSizeOfDay, isLast: isLast)
        var maxSizes = settings.maxSizes
        // Today's table of marks may still grow.
        maxSizes[.marks, default: 0] -= max(0, settings.maxMarksSizeOfDay - folder.size(of: marksOfToday))
        let deleted = folder.prune(to: settings.retentionDays, maxSizes: maxSizes, besides: today.day)
        var omissions: [String] = []
        if isFull { omissions.append(Self.omission(ofReadingsIn: today)) }
        if areProbesFull { omissions.append(Self.omission(ofProbesIn: probesOfToday)) }
        if probes.isIncomplete { omissions.append(Self.omissionOfProbes) }
        if limitedMarks == marksOfToday { omissions.append(Self.omission(ofMarksIn: marksOfToday)) }
        return Report(deleted: deleted, omission: omissions.isEmpty ? nil : omissions.joined(separator: " "))
    }

    /// Writes changes of clients to marks.
    /// - Returns: For each change, the reason why it was not written; nil if it was.
    func write(_ changes: [MarkChange], to folder: TableFolder, _ settings: Config.History) -> [MarkRefusal?] {
        do throws(TableFolder.Problem) {
            try folder.open()
        } catch {
            return changes.map { _ in .notWritten(error.sentence) }
        }
        return marks.withLock {
            $0.write(changes, at: clocks.date(), to: folder, maxSize: settings.maxMarksSizeOfDay)
        }
    }

    /// Writes the complete rows.
    /// - Parameter maxSize: The maximum size of a table, in bytes.
    /// - Returns: Whether there is no room for rows of today, which wait in case the limit is raised. Those of other
    ///   days are dropped.
    private func writeRows(
        to folder: TableFolder, _ today: DailyTable, maxSize: Int
    ) throws(TableFolder.Problem) -> Bool {
        let (csv, batch) = (ReadingCSV(), rows.batch)
        var number = batch.first
        for (table, rows) in batch.rows.runs(by: { DailyTable(of: $0.time) }) {
            let lines = rows.map { csv.line($0, since: table.start) }
            guard try append(lines, to: table, in: folder, maxSize: maxSize) || table != today else { return true }
            number += rows.count
            self.rows.remove(before: number)
        }
        return false
    }

    /// Writes the complete rows of probes, as ``writeRows(to:_:maxSize:)`` does those of readings.
    private func writeProbes(
        _ batch: PendingRows.Batch<ProbeRow>, to folder: TableFolder, _ today: DailyTable, maxSize: Int
    ) throws(TableFolder.Problem) -> Bool {
        let csv = ProbeCSV()
        var number = batch.first
        for (table, rows) in batch.rows.runs(by: { DailyTable(of: $0.time, .probes) }) {
            let lines = rows.map { csv.line($0, since: table.start) }
            guard try append(lines, to: table, in: folder, maxSize: maxSize) || table != today else { return true }
            number += rows.count
            self.rows.removeProbes(before: number)
        }
        return false
    }

    /// Appends lines to a table.
    /// - Returns: Whether there was room for them.
    private func append(
        _ lines: [String], to table: DailyTable, in folder: TableFolder, maxSize: Int
    ) throws(TableFolder.Problem) -> Bool {
        let size = folder.size(of: table)
        let newSize = lines.reduce(size > 0 ? size : table.header.utf8.count) { $0 + $1.utf8.count }
        guard newSize <= maxSize else { return false }
        try folder.append(lines, to: table)
        return true
    }

    /// Writes the program's marks.
    /// - Returns: The table of which some were left out, because there were too many; nil if there is none.
    private func writeMarks(
        to folder: TableFolder, maxSize: Int, isLast: Bool
    ) throws(TableFolder.Problem) -> DailyTable? {
        let description = description()
        return try marks.withLock { marks throws(TableFolder.Problem) in
            let now = clocks.date()
            try marks.write(
                history.pendingMarks(at: now, isLast: isLast), description: description, at: now, to: folder,
                maxSize: maxSize, onWritten: history.removePendingMarks)
            return marks.limitedTable
        }
    }

    private static func omission(ofReadingsIn table: DailyTable) -> String {
        "Today's readings are no longer recorded, because \(table.name) has reached the limit that history.max_size sets. "
            + "Recording continues at midnight (UTC), or when the limit is raised."
    }

    private static func omission(ofProbesIn table: DailyTable) -> String {
        "Today's probes are no longer recorded, because \(table.name) has reached the limit that history.max_size sets. "
            + "Recording them continues at midnight (UTC), or when the limit is raised."
    }

    private static let omissionOfProbes =
        "Some rows of probes were not recorded, because there were more than can wait until they are written."

    private static func omission(ofMarksIn table: DailyTable) -> String {
        "Not all of today's changes are recorded, because there are so many that \(table.name) has reached a limit. "
            + "Recording all of them continues at midnight (UTC)."
    }
}

extension Config.History {
    /// The maximum size of all tables of a kind together, in bytes. Marks have a tenth. The rest belongs to readings, and
    /// half of it at most to probes.
    var maxSizes: [DailyTable.Content: Int] {
        [.readings: maxSize * 900_000, .marks: maxSize * 100_000, .probes: maxSize * 450_000]
    }

    /// The maximum size of a day's table of marks, in bytes: a tenth of the room for marks, but 2 MB at most.
    var maxMarksSizeOfDay: Int { min(maxSize * 10_000, 2_000_000) }
}
