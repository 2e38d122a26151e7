import FoundationEssentials

extension Date {
    /// The date in ISO 8601, in UTC with milliseconds: `2026-11-20T19:30:00.250Z`.
    package var timestamp: String { formatted(ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
