import FoundationEssentials
import Readings

/// What has to be written into the tables of marks: each mark, and what the readings depend on.
///
/// The latter is written at the beginning of every table and every run, whenever the camera, its format or the region
/// is another one, and with each mark of the controls. Automatic controls move by themselves, which alone is no reason.
struct PendingMarks {
    /// What was written last of that on which readings depend.
    private struct Description: Equatable {
        var table: DailyTable
        var lines: [String]
    }

    /// The number of the newest mark that was written.
    private(set) var lastID = 0
    private var description: Description?

    /// Begins with another folder.
    mutating func begin() { description = nil }

    /// Writes what is new.
    /// - Parameters:
    ///   - marks: The marks after ``lastID``, in the order in which they were set.
    ///   - settings: What the readings depend on, as `ReadingCSV.comments` returns it.
    ///   - isLast: Whether nothing follows. Otherwise a mark that may still be moved waits.
    ///   - append: Adds lines to a table. What it has not written is written the next time.
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
