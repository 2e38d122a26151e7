package import FoundationEssentials

/// A part of the history as it is kept.
package struct HistoryRows: Sendable {
    package var range: ClosedRange<Date>
    /// The length of a summary's interval, in seconds. For the newest hour it is the shortest distance of two readings.
    package var period: Double
    /// The summaries by ascending time.
    package var summaries: [ReadingSummary]
    /// The marks by ascending time.
    package var marks: [Mark]
}
