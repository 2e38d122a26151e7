import FoundationEssentials
import Readings
import Synchronization

/// A reader that restores the history from the tables of a folder, the newest first.
///
/// It reads a table in pieces, and stops when the other tables are too old for the history, when the time is up, or
/// when it is cancelled. Anything that cannot be read is skipped.
final class TableReader: Sendable {
    struct Report: Equatable {
        /// The number of days whose table of readings was read.
        var days = 0
        /// The number of rows that the history takes.
        var rows = 0
        /// The number of lines in tables of readings that are too long or cannot be parsed.
        var damagedLines = 0
        /// Whether all tables that the history has room for were read.
        var isComplete = true
    }

    /// The interval over which the rows of a table are averaged while it is read, in seconds.
    private static let period = 10.0
    /// The maximum number of such rows of a table. A day has 8,640, unless the clock was set again and again.
    private static let maxRows = 20_000
    /// The maximum size of a table, in bytes. Rows of 1 s take 45 million at most.
    private static let maxTableSize = 128 << 20
    /// The maximum length of a row, in bytes.
    private static let maxRowLength = 4096

    private let folder: TableFolder
    private let history: History
    private let isOver: @Sendable () -> Bool
    private let isCancelled = Atomic(false)

    /// - Parameter isOver: Returns whether the time is up.
    init(_ folder: TableFolder, into history: History, isOver: @escaping @Sendable () -> Bool) {
        self.folder = folder
        self.history = history
        self.isOver = isOver
    }

    private var isStopped: Bool { isCancelled.load(ordering: .relaxed) || isOver() }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Reads the tables.
    /// - Parameter end: The time at which this run began. Later rows are in the history already.
    func read(until end: Date) -> Report {
        var report = Report()
        let range = end - History.maxAge..<end
        for table in folder.tables() where table.end > range.lowerBound {
            guard !isStopped else {
                report.isComplete = false
                break
            }
            guard table.start < end else { continue }
            switch table.content {
            case .readings: history.restore(rows(of: table, in: range, &report).sorted { $0.time < $1.time })
            case .marks: history.restore(marks(of: table, in: range))
            // The history keeps less of the probes than their table has, and begins anew.
            case .probes: continue
            }
        }
        return report
    }

    /// Returns the newest marks of a table.
    private func marks(of table: DailyTable, in range: Range<Date>) -> [Mark] {
        var marks: [Mark] = []
        readLines(of: table) { line in
            guard let line else { return true }
            let text = String(decoding: line, as: UTF8.self)
            guard let mark = MarkCSV.mark(text) else {
                if let deleted = MarkCSV.deletedMark(text), let index = marks.lastIndex(of: deleted) {
                    marks.remove(at: index)
                }
                return true
            }
            guard range ~= mark.time else { return true }
            marks.append(mark)
            if marks.count > 2 * History.maxMarks { marks.keepNewest(History.maxMarks) }
            return true
        }
        return marks
    }

    /// Returns the rows of a table, averaged if there are many.
    private func rows(of table: DailyTable, in range: Range<Date>, _ report: inout Report) -> [ReadingSummary] {
        var parser: ReadingCSV.Reader?
        var averager = IntervalAverager(length: Self.period)
        var rows: [ReadingSummary] = []
        let isTable = readLines(of: table) { line in
            guard let line else {
                report.damagedLines += 1
                return true
            }
            guard line.first != UInt8(ascii: "#"), !line.isEmpty else { return true }
            let text = String(decoding: line, as: UTF8.self)
            guard let reader = parser else {
                parser = ReadingCSV.Reader(header: text)
                if parser == nil { report.damagedLines += 1 }
                return true
            }
            guard let row = reader.summary(text) else {
                report.damagedLines += 1
                return true
            }
            guard range ~= row.time else { return true }
            report.rows += 1
            if let complete = averager.add(row) { rows.append(complete) }
            return rows.count < Self.maxRows
        }
        if isTable { report.days += 1 }
        if isStopped { report.isComplete = false }
        // What follows the last line break is a row that a power cut has left, or one that is just being written.
        return rows + [averager.finish()].compactMap(\.self)
    }

    /// Reads a table until it ends, proves too long, or reading is stopped.
    /// - Parameter body: Called with each line; with nil if it is too long. It returns whether more are wanted.
    /// - Returns: Whether there is such a table.
    @discardableResult
    private func readLines(of table: DailyTable, _ body: (ArraySlice<UInt8>?) -> Bool) -> Bool {
        folder.readLines(of: table, upTo: Self.maxTableSize, maxLength: Self.maxRowLength) { !isStopped && body($0) }
    }
}
