import FoundationEssentials
import Readings

/// The marks that have yet to be written into the tables of marks, and a description of what the readings depend on.
///
/// The description is written at the beginning of every table and every run, whenever the camera, its format or the
/// region has changed, and with each mark of the controls. A change that an automatic control makes is no reason to
/// write it.
struct PendingMarks {
    /// A description of what the readings depend on, without the values of the controls.
    private struct Description: Equatable {
        var table: DailyTable
        var lines: [String]
    }

    /// The number of the newest mark that was written.
    private(set) var lastID = 0
    /// The description that was written last.
    private var description: Description?

    /// Begins with another folder.
    mutating func begin() { description = nil }

    /// Writes the new marks, and the description if it is due.
    /// - Parameters:
    ///   - marks: The marks after ``lastID``, in the order in which they were set.
    ///   - settings: What the readings depend on, as `ReadingCSV.comments` returns it.
    ///   - isLast: Whether nothing follows. Otherwise a mark that may still be moved waits.
    ///   - append: Adds lines to a table. If it throws, the lines are written the next time.
    mutating func write(
        _ marks: [Mark], settings: [String], at now: Date, isLast: Bool,
        append: ([String], DailyTable) throws(TableFolder.Problem) -> Void
    ) throws(TableFolder.Problem) {
        let marks = isLast ? marks : Array(marks.prefix { abs(now.timeIntervalSince($0.time)) > Mark.movingTime })
        let description = Description(
            table: DailyTable(of: now, .marks), lines: settings.filter { !$0.hasPrefix("controls:") })
        if description != self.description || marks.contains(where: { $0.kind == .controls || $0.kind == .lock }) {
            try append(settings.map { MarkCSV.line($0, at: now) }, description.table)
            self.description = description
        }
        var left = marks[...]
        while let first = left.first {
            let table = DailyTable(of: first.time, .marks)
            let day = left.prefix { DailyTable(of: $0.time, .marks) == table }
            try append(day.map(MarkCSV.line), table)
            lastID = day.last?.id ?? lastID
            left = left.dropFirst(day.count)
        }
    }
}
