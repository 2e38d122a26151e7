package import FoundationEssentials
import Untrusted

/// A reader of files with colours: GIMP palettes, Adobe Swatch Exchange, Adobe Color, comma-separated values, CGATS.17
/// and CxF3.
///
/// The format follows from the content, not from the file's name.
package enum PaletteFile {
    /// The reason why a file is not a palette, with the place.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// The end of a sentence about the file.
        package let description: String

        package init(_ description: String) { self.description = description }

        init(line: Int, _ description: String) { self.init("line \(line): \(description)") }

        init(byte: Int, _ description: String) { self.init("byte \(byte): \(description)") }

        static let tooManyMarks = Problem("it has more than \(String.maxMarks) combining marks in a row")

        static let tooMany = Problem("it has more than \(Palette.maxCount) colours")
    }

    /// The maximum size of a file, in bytes. Names of 4,096 colours need less.
    package static let maxSize = 1 << 20

    /// Reads a palette.
    package static func palette(_ data: Data) throws(Problem) -> Palette {
        let bytes = Array(data)
        guard bytes.count <= maxSize else { throw Problem("it is longer than \(maxSize >> 20) MiB") }
        guard !bytes.isEmpty else { throw Problem("it is empty") }
        var note: String?
        let entries: [Palette.Entry]
        if bytes.starts(with: AdobeSwatchExchange.signature) {
            entries = try AdobeSwatchExchange.entries(bytes)
        } else if bytes.count >= 4, bytes[0] == 0, [0, 1, 2].contains(bytes[1]) {
            entries = try AdobeColor.entries(bytes)
        } else if isXML(bytes) {
            entries = try ColorExchange.entries(bytes)
        } else {
            let (text, guess) = try text(bytes)
            entries = try self.entries(text)
            note = guess
        }
        guard !entries.isEmpty else { throw Problem("it has no colours") }
        return Palette(entries, note: note)
    }

    /// Whether the first character, after a mark of UTF-8 or UTF-16, is `<`.
    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let noise: Set<UInt8> = [0, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
        return bytes.first { !noise.contains($0) } == UInt8(ascii: "<")
    }

    private static func entries(_ text: String) throws(Problem) -> [Palette.Entry] {
        guard text.isStreamSafe else { throw .tooManyMarks }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.first?.trimmed == GIMPPalette.signature { return try GIMPPalette.entries(lines) }
        return lines.contains { $0.trimmed.hasPrefix(MeasurementTable.beginning) }
            ? try MeasurementTable.entries(lines) : try ColorTable.entries(lines)
    }
    /// Returns a number as instruments and spreadsheets write it: with a point or a comma before its decimals, and
    /// perhaps with the sign of typesetters; nil if it is none.
    static func number(_ text: some StringProtocol) -> Double? {
        var digits = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9", "+", "-", ".", "e", "E": digits.unicodeScalars.append(scalar)
            case ",": digits += "."
            case "\u{2212}": digits += "-"
            default: return nil
            }
        }
        return Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }
}
