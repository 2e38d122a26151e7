import FoundationEssentials
import Readings

/// The file that keeps a day's readings, such as `swatchcam-2026-11-23.csv`.
///
/// Days are those of UTC, like the times in the file: each has 24 hours, whatever the time zone.
struct DailyTable: Comparable, Hashable {
    /// The day as `2026-11-23`.
    private let day: String

    /// The table of the day with this time.
    init(of time: Date) {
        day = String(time.timestamp.prefix(10))
    }

    /// The table with this name; nil if the name is that of another file.
    init?(name: String) {
        guard let match = name.wholeMatch(of: /swatchcam-([0-9]{4}-[0-9]{2}-[0-9]{2})\.csv/),
            Date(timestamp: "\(match.output.1)T00:00:00.000Z")?.timestamp.prefix(10) == match.output.1
        else { return nil }
        day = String(match.output.1)
    }

    var name: String { "swatchcam-\(day).csv" }

    /// The first moment of the day, from which `time_s` counts.
    var start: Date { Date(timestamp: "\(day)T00:00:00.000Z") ?? .distantPast }

    /// The name under which a file is put aside that has the table's name but other content.
    func asideName(_ number: Int) -> String { "swatchcam-\(day).other-\(number).csv" }

    /// Returns whether the first day is earlier.
    static func < (left: Self, right: Self) -> Bool { left.day < right.day }
}
