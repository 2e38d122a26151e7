package import FoundationEssentials

extension Date {
    /// The date in ISO 8601, in UTC with milliseconds: `2026-11-20T19:30:00.250Z`.
    package var timestamp: String { (self + Self.tolerance).formatted(Self.style) }

    /// Whether a text is a date in this format.
    package static func isTimestamp(_ text: String) -> Bool { Date(timestamp: text) != nil }

    /// Parses a date in this format; nil for anything else.
    package init?(timestamp text: String) {
        // The style accepts more than this. A regular expression would be compiled again for each row of a table.
        let form = "0000-00-00T00:00:00.000Z".utf8
        let hasForm = zip(text.utf8, form).allSatisfy { byte, form in
            form == UInt8(ascii: "0") ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == form
        }
        guard hasForm, text.utf8.count == form.count, let date = try? Self.style.parse(text) else { return nil }
        self = date
    }

    /// A date cannot represent most milliseconds exactly, and the style truncates: without the tolerance, in seconds, a
    /// date that is parsed and written again could be a millisecond earlier.
    private static let tolerance: TimeInterval = 0.000_001

    private static let style = ISO8601FormatStyle(includingFractionalSeconds: true)
}
