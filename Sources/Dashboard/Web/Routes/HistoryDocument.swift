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
        var mean: Reading.Channels<Double>
        var min: Reading.Channels<Double>
        var max: Reading.Channels<Double>
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
            time: time.timestamp, n: figures.count, hex: color.mean.rounded.hex, mean: channels(color.mean),
            min: channels(color.minimum), max: channels(color.maximum),
            lightness: Lightness(
                mean: lightness.mean.rounded(decimals: decimals), min: lightness.minimum.rounded(decimals: decimals),
                max: lightness.maximum.rounded(decimals: decimals)),
            quality: figures.grade)
    }

    private static func channels(_ color: RGB) -> Reading.Channels<Double> {
        .init(
            r: color.r.rounded(decimals: decimals), g: color.g.rounded(decimals: decimals),
            b: color.b.rounded(decimals: decimals))
    }
}
