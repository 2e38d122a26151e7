import Color
import Documents
import FoundationEssentials
import Pixels
import Readings
import Untrusted

/// The document of `GET /api/history`.
struct HistoryDocument: JSONFields {
    /// The number of decimals. Two suffice, because the document is for drawing.
    private static let decimals = 2

    private struct Point: JSONFields {
        var time: Date
        var summary: ReadingSummary

        static let fields: JSONFieldList<Self> = [
            .value("hex", .hex, "`mean`, rounded.") { $0.summary.color.mean.rounded.hex },
            .object(
                "lightness", "L* of CIELAB (D50) of the readings.",
                [
                    .number("max", .number(0...100), decimals: decimals) { $0.summary.lightness.maximum },
                    .number("mean", .number(0...100), decimals: decimals) { $0.summary.lightness.mean },
                    .number("min", .number(0...100), decimals: decimals) { $0.summary.lightness.minimum },
                ]),
            .channels("max", .component("HistoryColor"), decimals: decimals) { $0.summary.color.maximum },
            .channels("mean", .component("HistoryColor"), decimals: decimals) { $0.summary.color.mean },
            .channels("min", .component("HistoryColor"), decimals: decimals) { $0.summary.color.minimum },
            .value("n", .integer(from: 1), "The number of readings.") { $0.summary.count },
            .value(
                "quality", .words(of: Quality.Grade.self).orNull,
                "The worst grade of a reading; null if it is not known."
            ) { $0.summary.grade },
            .value("time", .time, "The start of the interval: `from` plus a multiple of `step`.") { $0.time.timestamp },
        ]
    }

    /// The colours of a probe in each interval, beginning with that at `from`.
    private struct ProbeLine: JSONFields {
        var name: String
        var colors: [RGB?]

        static let fields: JSONFieldList<Self> = [
            .value(
                "hex", .array(of: .hex.orNull, 0...2000),
                "The mean colour in each interval, beginning with that at `from`; null where there is none."
            ) { $0.colors.map { $0?.rounded.hex } },
            .value("name", .string) { $0.name },
        ]
    }

    let window: HistoryWindow
    /// When the program started, if nothing keeps the history of its earlier runs; nil if a folder does.
    let begins: Date?
    /// Whether the probes were asked for.
    var hasProbes = false

    static let fields: JSONFieldList<Self> = [
        .value(
            "begins", .time.orNull,
            "When Swatchcam started, if nothing keeps the history of its earlier runs; null if `history.folder` does."
        ) { $0.begins?.timestamp },
        .value("from", .time, "The start of the first interval.") { $0.window.start.timestamp },
        .value("marks", .array(of: .component("Mark"), 0...1000)) { $0.window.marks },
        .value("points", .array(of: Point.schema, 0...2000)) { document in
            document.window.summaries.enumerated().compactMap { index, summary in
                summary.map { Point(time: document.window.time(of: index), summary: $0) }
            }
        },
        .value(
            "probes", .array(of: ProbeLine.schema, 0...Probe.maxCount),
            "Only with `probes=all`: the probes that have a colour in an interval, the newest first."
        ) { $0.window.probeColors.map { ProbeLine(name: $0.name.text, colors: $0.colors) } }.onlyIf(\.hasProbes),
        .value("step", .number(from: 0.25), "The length of an interval in seconds.") { $0.window.step },
        .value("to", .time, "The time of the request, in the last interval.") { $0.window.end.timestamp },
    ]
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
