import Capture
import Color
import FoundationEssentials
import Readings
import Untrusted

/// The document of `GET /api/history`.
struct HistoryDocument: Encodable {
    /// The number of decimals. Two suffice, because the document is for drawing.
    private static let decimals = 2

    private struct Point: Encodable {
        var time: String
        var n: Int
        var hex: String
        var mean: RGB
        var min: RGB
        var max: RGB
        var lightness: Lightness
        @Nullable var quality: Quality.Grade?
    }

    private struct Lightness: Encodable {
        var mean: Double
        var min: Double
        var max: Double
    }

    private var from: String
    private var to: String
    private var step: Double
    private var points: [Point]
    private var marks: [Mark]

    init(_ window: HistoryWindow) {
        from = window.start.timestamp
        to = window.end.timestamp
        step = window.step
        points = window.summaries.enumerated().compactMap { index, summary in
            summary.map { Self.point($0.figures, at: window.time(of: index)) }
        }
        marks = window.marks
    }

    private static func point(_ figures: ReadingSummary.Figures, at time: Date) -> Point {
        let (color, lightness) = (figures.color, figures.lightness)
        return Point(
            time: time.timestamp, n: figures.count, hex: color.mean.rounded.hex,
            mean: color.mean.rounded(decimals: decimals),
            min: color.minimum.rounded(decimals: decimals), max: color.maximum.rounded(decimals: decimals),
            lightness: Lightness(
                mean: lightness.mean.rounded(decimals: decimals), min: lightness.minimum.rounded(decimals: decimals),
                max: lightness.maximum.rounded(decimals: decimals)),
            quality: figures.grade)
    }

}

/// The document of `GET /history.csv`: the rows of the history, on request below comments that say what their figures
/// depend on.
struct HistoryTable {
    private let csv: ReadingCSV
    private let comments: [String]

    /// - Parameters:
    ///   - reading: The newest reading, which names the camera and its format.
    ///   - controls: The values of the camera's controls by their names.
    init(
        _ format: CSVFormat, hasComments: Bool, version: String, reading: Reading,
        controls: [String: Sample.Setting]
    ) {
        csv = ReadingCSV(format)
        comments =
            hasComments ? ReadingCSV.comments(version: version, reading: reading, controls: controls) : []
    }

    /// Returns the table in UTF-8.
    func data(_ rows: HistoryRows) -> Data {
        var data = Data()
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
