/// A length of the history up to now.
package struct HistorySpan: Equatable, Sendable {
    package static let standard = HistorySpan(seconds: 600)
    /// The lengths, in seconds.
    private static let range = 10.0...31 * 86_400

    /// The length in seconds, 10 s to 31 days.
    package let seconds: Double

    private init(seconds: Double) {
        self.seconds = seconds
    }

    /// Parses a whole number and a unit, such as `90s`, `10m`, `12h` or `31d`; nil for anything else, and if the length
    /// is out of range.
    package init?(_ text: String) {
        let units: [UInt8: Double] = [
            UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
        ]
        let digits = text.utf8.dropLast()
        guard let unit = text.utf8.last.flatMap({ units[$0] }), 1...7 ~= digits.count,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Double(Substring(digits)), Self.range ~= number * unit
        else { return nil }
        seconds = number * unit
    }
}
