package import FoundationEssentials

extension Date {
    /// The date in ISO 8601, in UTC with milliseconds: `2026-11-20T19:30:00.250Z`.
    package var timestamp: String { (self + Self.tolerance).formatted(Self.style) }

    /// Whether a text is a date in this format.
    package static func isTimestamp(_ text: String) -> Bool { Date(timestamp: text) != nil }

    /// Parses a date in this format; nil for anything else.
    package init?(timestamp text: String) {
        let hasForm = text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z/) != nil
        guard hasForm, let date = try? Self.style.parse(text) else { return nil }
        self = date
    }

    /// A date cannot represent most milliseconds exactly, and the style cuts the rest off: without the tolerance, a date
    /// that is parsed and written again could be a millisecond earlier.
    private static let tolerance: TimeInterval = 0.000_001

    private static let style = ISO8601FormatStyle(includingFractionalSeconds: true)
}
