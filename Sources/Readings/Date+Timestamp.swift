package import FoundationEssentials

extension Date {
    /// The date in ISO 8601, in UTC with milliseconds: `2026-11-20T19:30:00.250Z`.
    package var timestamp: String { formatted(Self.style) }

    /// Parses a date in this format; nil if the text is not one.
    package init?(timestamp: String) {
        guard let date = try? Self.style.parse(timestamp) else { return nil }
        self = date
    }

    private static let style = ISO8601FormatStyle(includingFractionalSeconds: true)
}
