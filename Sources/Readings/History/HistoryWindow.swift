package import FoundationEssentials

/// A part of the history in intervals of equal length.
///
/// Intervals begin at multiples of their length since 1970, so that a later window of the same span has the same ones.
package struct HistoryWindow: Sendable {
    /// The start of the first interval.
    package let start: Date
    /// The end of the requested time, which lies in the last interval.
    package let end: Date
    /// The length of an interval, in seconds.
    package let step: Double
    /// The summary of each interval; nil if it has no reading with a colour.
    package private(set) var summaries: [ReadingSummary?]
    /// The marks from `start` to `end`, in the order in which they were set.
    package internal(set) var marks: [Mark] = []

    /// - Parameters:
    ///   - count: The maximum number of intervals, at least 1.
    ///   - period: The length of the intervals of the summaries that will be added, in seconds. The window's intervals
    ///     are a multiple as long, so that no summary belongs to two of them.
    init(_ span: HistorySpan, intervals count: Int, period: Double, until end: Date) {
        step = max((span.seconds / Double(max(count, 1)) / period).rounded(.up), 1) * period
        let intervals = (span.seconds / step).rounded(.up)
        let last = (end.timeIntervalSince1970 / step).rounded(.down)
        start = Date(timeIntervalSince1970: (last - intervals + 1) * step)
        self.end = end
        summaries = Array(repeating: nil, count: Int(intervals))
    }

    /// Adds a summary to its interval, if it lies in the window.
    mutating func add(_ summary: ReadingSummary) {
        guard summary.time >= start, summary.time <= end else { return }
        let index = Int(summary.time.timeIntervalSince(start) / step)
        guard summaries.indices ~= index else { return }
        if summaries[index] == nil { summaries[index] = summary } else { summaries[index]?.add(summary) }
    }

    /// Returns the start of an interval.
    package func time(of index: Int) -> Date { start + Double(index) * step }
}
