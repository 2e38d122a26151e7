package import Color
package import FoundationEssentials
import Glibc

extension Double {
    /// Formats the number with a fixed number of decimals and a point.
    package func formatted(decimals: Int) -> String {
        // Up to 309 digits are before the point.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 320 + decimals) { text in
            guard let start = text.baseAddress else { return "" }
            _ = unsafe withVaList([self]) { unsafe vsnprintf(start, text.count, "%.\(decimals)f", $0) }
            return unsafe String(cString: start)
        }
    }

    /// Rounds to a number of decimals. Infinities and NaN, which JSON cannot express, become 0, and so does -0.
    package func rounded(decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite ? rounded + 0 : 0
    }
}

extension Channels where Value == Double {
    /// Rounds each channel to a number of decimals.
    package func rounded(decimals: Int) -> Self { map { $0.rounded(decimals: decimals) } }
}

extension Double {
    /// Parses a length of time in seconds: a whole number and a unit, such as `90s`, `10m`, `12h` or `31d`; nil for
    /// anything else.
    package init?(timeSpan text: String) {
        let units: [UInt8: Double] = [
            UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
        ]
        let digits = text.utf8.dropLast()
        guard let unit = text.utf8.last.flatMap({ units[$0] }), 1...7 ~= digits.count,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Double(Substring(digits))
        else { return nil }
        self = number * unit
    }
}

extension BidirectionalCollection<String> {
    /// The texts as a list in a sentence: `A`, `A and B`, or `A, B and C`.
    package var list: String {
        guard count > 1, let last else { return last ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension String {
    /// The text with a full stop at its end, unless it already ends a sentence.
    package var withFullStop: String { hasSuffix("?") || hasSuffix(".") ? self : self + "." }
}

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
