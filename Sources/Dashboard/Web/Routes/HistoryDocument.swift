import Color
import Documents
import FoundationEssentials
import Readings
import Untrusted

/// The document of `GET /api/history`.
struct HistoryDocument: JSONObject {
    /// The number of decimals. Two suffice, because the document is for drawing.
    private static let decimals = 2

    private struct Point: JSONObject {
        var time: Date
        var summary: ReadingSummary

        func writeFields(to json: inout JSONWriter) {
            let (color, lightness) = (summary.color, summary.lightness)
            json.field("hex", color.mean.rounded.hex)
            json.field("lightness") { json in
                json.field("max", lightness.maximum, decimals: HistoryDocument.decimals)
                json.field("mean", lightness.mean, decimals: HistoryDocument.decimals)
                json.field("min", lightness.minimum, decimals: HistoryDocument.decimals)
            }
            json.field("max", color.maximum, decimals: HistoryDocument.decimals)
            json.field("mean", color.mean, decimals: HistoryDocument.decimals)
            json.field("min", color.minimum, decimals: HistoryDocument.decimals)
            json.field("n", summary.count)
            json.field("quality", summary.grade)
            json.field("time", time.timestamp)
        }
    }

    /// The colours of a probe in each interval, beginning with that at `from`.
    private struct ProbeLine: JSONObject {
        var name: String
        var colors: [RGB?]

        func writeFields(to json: inout JSONWriter) {
            json.field("hex", colors.map { $0?.rounded.hex })
            json.field("name", name)
        }
    }

    let window: HistoryWindow
    /// When the program started, if nothing keeps the history of its earlier runs; nil if a folder does.
    let begins: Date?
    /// Whether the probes were asked for.
    var hasProbes = false

    func writeFields(to json: inout JSONWriter) {
        json.field("begins", begins?.timestamp)
        json.field("from", window.start.timestamp)
        json.field("marks", window.marks)
        json.field(
            "points",
            window.summaries.enumerated().compactMap { index, summary in
                summary.map { Point(time: window.time(of: index), summary: $0) }
            })
        if hasProbes {
            json.field("probes", window.probeColors.map { ProbeLine(name: $0.name.text, colors: $0.colors) })
        }
        json.field("step", window.step)
        json.field("to", window.end.timestamp)
    }
}

/// The document of `GET /history.csv`: the rows of the history, on request below comments that say what their figures
/// depend on.
struct HistoryTable {
    private let format: CSVFormat
    private let comments: [String]

    /// - Parameters:
    ///   - reading: The newest reading, which names the camera and its format.
    ///   - controls: The values of the camera's controls by their names.
    ///   - recording: The name of the recording whose readings are the rows; nil if they are of a span.
    init(
        _ format: CSVFormat, hasComments: Bool, version: String, reading: Reading,
        controls: [String: Sample.ControlValue], recording: String? = nil
    ) {
        self.format = format
        comments =
            hasComments
            ? ReadingCSV.comments(version: version, reading: reading, controls: controls)
                + (recording.map { ["recording: \($0)"] } ?? [])
            : []
    }

    /// Returns the table in UTF-8.
    func data(_ rows: HistoryRows) -> Data {
        let csv = ReadingCSV(format, probes: rows.probeNames)
        var data = Data(csv.beginning.utf8)
        if !comments.isEmpty {
            let interval = "\(rows.period.formatted(decimals: 2)) s"
            let span = "from \(rows.range.lowerBound.timestamp) to \(rows.range.upperBound.timestamp)"
            let marks = rows.marks.map { "mark: \($0.time.timestamp) \($0.kind.rawValue): \($0.text)" }
            for comment in comments + [span, "interval: \(interval)"] + marks {
                data.append(contentsOf: csv.comment(comment.sanitized(limit: 4000)).utf8)
            }
        }
        data.append(contentsOf: csv.header.utf8)
        let start = rows.summaries.first?.time ?? rows.range.lowerBound
        for summary in rows.summaries { data.append(contentsOf: csv.line(summary, since: start).utf8) }
        return data
    }
}
