import Configuration
import FoundationEssentials
import Readings

/// The rows of the tables of marks: marks, and a description of what the readings depend on.
///
/// The description is written at the beginning of every table and every run. Its changed lines are written again
/// whenever the camera, its format or the region has changed, and with the marks of controls. A change that an
/// automatic control makes does not cause this.
struct MarkTables {
    private struct Description {
        var table: DailyTable
        var lines: [String]
    }

    private struct Row {
        var line: String
        var source: Mark.Source
    }

    /// The description that was written last.
    private var description: Description?
    private var budget: MarkBudget?

    /// The table of which some rows of the program were left out, because there were too many; nil if there is none.
    var limitedTable: DailyTable? { budget.flatMap { $0.hasRefusedProgram ? $0.table : nil } }

    /// Begins with another folder or other settings.
    mutating func begin() { (description, budget) = (nil, nil) }

    /// Writes marks of the program, and the description if it is due. Rows for which there is no room are left out.
    /// - Parameters:
    ///   - description: What the readings depend on, as `ReadingCSV.comments` returns it.
    ///   - maxSize: The maximum size of a table, in bytes.
    ///   - onWritten: Called with the number of the last mark of a table that was written. If this throws, the others
    ///     are to be written the next time.
    mutating func write(
        _ marks: [Mark], description lines: [String], at now: Date, to folder: TableFolder, maxSize: Int,
        onWritten: (Int) -> Void
    ) throws(TableFolder.Problem) {
        let table = DailyTable(of: now, .marks)
        let last = description?.table == table ? description?.lines ?? [] : []
        let changed = lines.filter { !last.contains($0) }
        if changed.contains(where: { !$0.hasPrefix("controls:") })
            || marks.contains(where: { $0.kind == .controls || $0.kind == .lock })
        {
            let rows = changed.map { Row(line: MarkCSV.line($0, at: now), source: .settings) }
            _ = try append(rows, to: table, in: folder, maxSize: maxSize)
            description = Description(table: table, lines: lines)
        }
        for (table, marks) in marks.runs(by: { DailyTable(of: $0.time, .marks) }) {
            let rows = marks.map { Row(line: MarkCSV.line($0), source: $0.source) }
            _ = try append(rows, to: table, in: folder, maxSize: maxSize)
            if let last = marks.last { onWritten(last.id) }
        }
    }

    /// Writes changes of clients, each to the table with the day of its mark.
    /// - Parameter maxSize: The maximum size of a table, in bytes.
    /// - Returns: For each change, the reason why it was not written; nil if it was.
    mutating func write(
        _ changes: [MarkChange], at now: Date, to folder: TableFolder, maxSize: Int
    ) -> [MarkRefusal?] {
        changes.runs(by: { DailyTable(of: $0.mark.time, .marks) }).flatMap { table, changes in
            let rows = changes.map { change in
                switch change {
                case .set(let mark): Row(line: MarkCSV.line(mark), source: mark.source)
                case .delete(let mark): Row(line: MarkCSV.deletion(of: mark), source: mark.source)
                }
            }
            do throws(TableFolder.Problem) {
                return try append(rows, to: table, in: folder, maxSize: maxSize).map { refusal in
                    refusal.map { MarkRefusal($0, until: table.end, at: now) }
                }
            } catch {
                return changes.map { _ in .notWritten(error.sentence) }
            }
        }
    }

    /// Appends rows to a table, except those for which there is no room.
    /// - Returns: For each row, the reason why it was left out; nil if it was not.
    private mutating func append(
        _ rows: [Row], to table: DailyTable, in folder: TableFolder, maxSize: Int
    ) throws(TableFolder.Problem) -> [MarkBudget.Refusal?] {
        var budget =
            if let budget, budget.table == table { budget } else { MarkBudget(of: table, in: folder, maxSize: maxSize) }
        let refusals = rows.map { budget.refusal(of: $0.line.utf8.count, from: $0.source) }
        let lines = zip(rows, refusals).filter { $0.1 == nil }.map(\.0.line)
        if !lines.isEmpty { try folder.append(lines, to: table) }
        // What could not be written does not count.
        self.budget = budget
        return refusals
    }
}

/// The room in a day's table of marks. No source of rows can use up the room of the others.
///
/// A quarter belongs to clients and the rest to the program. In both parts, a source may use no more than it leaves to
/// the others. What was written before, in this run or in an earlier one, counts.
struct MarkBudget {
    /// The reason why a row must not be written.
    enum Refusal {
        /// The source has used its share.
        case share
        /// The part that the source belongs to is used up.
        case part
    }

    /// The maximum length of a row of settings, in bytes.

    let table: DailyTable
    /// The number of bytes that clients may still use.
    private var leftForClients: Int
    /// The number of bytes that the program may still use.
    private var leftForProgram: Int
    /// The number of bytes in use, by source.
    private var used: [Mark.Source: Int] = [:]
    /// Whether a row of the program was refused.
    private(set) var hasRefusedProgram = false

    /// Counts the rows of a table.
    /// - Parameter maxSize: The maximum size of the table, in bytes.
    init(of table: DailyTable, in folder: TableFolder, maxSize: Int) {
        self.table = table
        leftForClients = maxSize / 4
        leftForProgram = maxSize - maxSize / 4
        let isThere = folder.readLines(of: table, upTo: maxSize, maxLength: TableInspection.maxLineLength) { line in
            let source = line.map { MarkCSV.source(of: String(decoding: $0, as: UTF8.self)) } ?? .settings
            count((line?.count ?? TableInspection.maxLineLength) + 2, from: source)
            return true
        }
        if !isThere { count(table.header.utf8.count, from: .settings) }
    }

    /// Counts a row that is about to be written, unless there is no room for it.
    /// - Parameter size: The length of the row with its line break, in bytes.
    /// - Returns: The reason why it must not be written; nil if it may.
    mutating func refusal(of size: Int, from source: Mark.Source) -> Refusal? {
        let left = (source.isClient ? leftForClients : leftForProgram) - size
        if used[source, default: 0] + size <= left {
            count(size, from: source)
            return nil
        }
        if !source.isClient { hasRefusedProgram = true }
        // The same row from a new source would still be written.
        return size <= left ? .share : .part
    }

    private mutating func count(_ size: Int, from source: Mark.Source) {
        used[source, default: 0] += size
        if source.isClient { leftForClients -= size } else { leftForProgram -= size }
    }
}
