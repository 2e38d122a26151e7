import Documents
import FoundationEssentials
import Readings

/// A file with the readings, the marks or the probes of one day, such as `swatchcam-2026-11-23.csv`.
///
/// Days are those of UTC, like the times in the file: each has 24 hours, whatever the time zone.
struct DailyTable: Comparable, Hashable {
    /// The kind of rows.
    enum Content: Int, CaseIterable {
        case readings, marks, probes

        /// The name of a table, without the day between its two parts.
        fileprivate var name: (start: String, end: String) {
            switch self {
            case .readings: ("swatchcam-", "")
            case .marks: ("swatchcam-", ".marks")
            case .probes: ("swatchcam-probes-", "")
            }
        }
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
        for content in Content.allCases {
            let (start, end) = (content.name.start, content.name.end + ".csv")
            guard name.hasPrefix(start), name.hasSuffix(end) else { continue }
            let day = name.dropFirst(start.count).dropLast(end.count)
            // There is no 30 February.
            guard Date(timestamp: "\(day)T00:00:00.000Z")?.timestamp.prefix(10) == day else { continue }
            self.day = String(day)
            self.content = content
            return
        }
        return nil
    }

    var name: String { "\(content.name.start)\(day)\(content.name.end).csv" }

    /// The line with the names of the columns.
    var header: String {
        switch content {
        case .readings: ReadingCSV().header
        case .marks: MarkCSV.header
        case .probes: ProbeCSV().header
        }
    }

    /// The first moment of the day, from which `time_s` counts.
    var start: Date { Date(timestamp: "\(day)T00:00:00.000Z") ?? .distantPast }
    /// The first moment of the next day.
    var end: Date { start + 86_400 }

    /// Returns the name under which a file that has the table's name but other content is put aside.
    func asideName(_ number: Int) -> String {
        "\(content.name.start)\(day)\(content.name.end).other-\(number).csv"
    }

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
