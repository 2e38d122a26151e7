import Configuration
import FoundationEssentials
import Readings

/// The rows of the tables of marks: marks, and a description of what the readings depend on.
///
/// The description is written at the beginning of every table and every run. Those of its lines that have changed are
/// written whenever the camera, its format or the region has changed, and with the marks of controls. A change that an
/// automatic control makes is no reason to write them.
struct MarkTables {
    private struct Description {
        var table: DailyTable
        var lines: [String]
    }

    private struct Row {
        var line: String
        var source: Mark.Source

        init(_ mark: Mark) { (line, source) = (MarkCSV.line(mark), mark.source) }

        init(setting: String, at time: Date) { (line, source) = (MarkCSV.line(setting, at: time), .settings) }
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
    ///   - limit: The greatest size of a table, in bytes.
    ///   - onWritten: Called with the number of the last mark of a table that was written. If this throws, the others are
    ///     to be written the next time.
    mutating func write(
        _ marks: [Mark], description lines: [String], at now: Date, to folder: TableFolder, limit: Int,
        onWritten: (Int) -> Void
    ) throws(TableFolder.Problem) {
        let table = DailyTable(of: now, .marks)
        let last = description?.table == table ? description?.lines ?? [] : []
        let changed = lines.filter { !last.contains($0) }
        if changed.contains(where: { !$0.hasPrefix("controls:") })
            || marks.contains(where: { $0.kind == .controls || $0.kind == .lock })
        {
            let rows = changed.map { Row(setting: $0, at: now) }
            _ = try append(rows, to: table, in: folder, limit: limit)
            description = Description(table: table, lines: lines)
        }
        for (table, marks) in marks.runs(by: { DailyTable(of: $0.time, .marks) }) {
            _ = try append(marks.map(Row.init), to: table, in: folder, limit: limit)
            if let last = marks.last { onWritten(last.id) }
        }
    }

    /// Writes marks of clients.
    /// - Parameter limit: The greatest size of a table, in bytes.
    /// - Returns: For each mark, the reason why it was not written; nil if it was.
    mutating func write(_ marks: [Mark], at now: Date, to folder: TableFolder, limit: Int) -> [MarkRefusal?] {
        marks.runs(by: { DailyTable(of: $0.time, .marks) }).flatMap { table, marks in
            do throws(TableFolder.Problem) {
                return try append(marks.map(Row.init), to: table, in: folder, limit: limit).map { refusal in
                    refusal.map { MarkRefusal($0, until: table.start + 86_400, at: now) }
                }
            } catch {
                return marks.map { _ in .notWritten(error.sentence) }
            }
        }
    }

    /// Appends rows to a table, except those for which there is no room.
    /// - Returns: For each row, the reason why it was left out; nil if it was not.
    private mutating func append(
        _ rows: [Row], to table: DailyTable, in folder: TableFolder, limit: Int
    ) throws(TableFolder.Problem) -> [MarkBudget.Refusal?] {
        var budget =
            if let budget, budget.table == table { budget } else { MarkBudget(of: table, in: folder, limit: limit) }
        let refusals = rows.map { budget.refusal(of: $0.line.utf8.count, from: $0.source) }
        let lines = zip(rows, refusals).filter { $0.1 == nil }.map(\.0.line)
        if !lines.isEmpty { try folder.append(lines, to: table) }
        // What could not be written does not count.
        self.budget = budget
        return refusals
    }
}
