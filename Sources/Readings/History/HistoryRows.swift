package import FoundationEssentials

/// A part of the history as it is stored, without grouping it again.
package struct HistoryRows: Sendable {
    /// The requested time.
    package var range: ClosedRange<Date>
    /// The length of a summary's interval, in seconds. For a span of up to an hour, it is the shortest time between two
    /// entries.
    package var period: Double
    /// The summaries by ascending time.
    package var summaries: [ReadingSummary]
    /// The marks by ascending time.
    package var marks: [Mark]
}
