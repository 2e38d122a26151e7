import Documents
import FoundationEssentials
import Readings

/// A file with the readings or the marks of one day, such as `swatchcam-2026-11-23.csv`.
///
/// Days are those of UTC, like the times in the file: each has 24 hours, whatever the time zone.
struct DailyTable: Comparable, Hashable {
    /// The kind of rows.
    enum Content: String, CaseIterable {
        case readings = ""
        case marks = ".marks"
    }

    /// The day as `2026-11-23`.
    let day: String
    let content: Content

    /// The table of the day with this time.
    init(of time: Date, _ content: Content = .readings) {
        day = String(time.timestamp.prefix(10))
        self.content = content
    }

    /// The table with this name; nil if the name is that of another file.
    init?(name: String) {
        guard name.hasPrefix("swatchcam-"), name.hasSuffix(".csv") else { return nil }
        let middle = name.dropFirst(10).dropLast(4)
        let day = middle.prefix(10)
        guard let content = Content(rawValue: String(middle.dropFirst(10))),
            // There is no 30 February.
            Date(timestamp: "\(day)T00:00:00.000Z")?.timestamp.prefix(10) == day
        else { return nil }
        self.day = String(day)
        self.content = content
    }

    var name: String { "swatchcam-\(day)\(content.rawValue).csv" }

    /// The line with the names of the columns.
    var header: String {
        switch content {
        case .readings: ReadingCSV().header
        case .marks: MarkCSV.header
        }
    }

    /// The first moment of the day, from which `time_s` counts.
    var start: Date { Date(timestamp: "\(day)T00:00:00.000Z") ?? .distantPast }
    /// The first moment of the next day.
    var end: Date { start + 86_400 }

    /// Returns the name under which a file that has the table's name but other content is put aside.
    func asideName(_ number: Int) -> String { "swatchcam-\(day)\(content.rawValue).other-\(number).csv" }

    /// Earlier days come first; within a day, the readings.
    static func < (left: Self, right: Self) -> Bool {
        (left.day, left.content.rawValue) < (right.day, right.content.rawValue)
    }
}

extension Sequence {
    /// Returns the elements in runs that belong to the same table.
    func runs(by table: (Element) -> DailyTable) -> [(table: DailyTable, elements: [Element])] {
        reduce(into: []) { runs, element in
            let table = table(element)
            if runs.last?.table == table {
                runs[runs.count - 1].elements.append(element)
            } else {
                runs.append((table, [element]))
            }
        }
    }
}
