/// A length of the history up to now.
package struct HistorySpan: Equatable, Sendable {
    /// The length that applies if none is requested: ten minutes.
    package static let standard = HistorySpan(seconds: 600)
    /// The permitted lengths, in seconds.
    private static let range = 10.0...31 * 86_400

    /// The length in seconds, 10 s to 31 days.
    package let seconds: Double

    private init(seconds: Double) {
        self.seconds = seconds
    }

    /// Parses a whole number and a unit, such as `90s`, `10m`, `12h` or `31d`; nil for anything else, and if the length
    /// is out of range.
    package init?(_ text: String) {
        guard let seconds = Double(timeSpan: text), Self.range ~= seconds else { return nil }
        self.seconds = seconds
    }
}
