import Color
import FoundationEssentials
import Untrusted

/// A table of measurements by CGATS.17 (ISO 28178), which colour charts come with (`.cie`, `.txt`) and Argyll writes
/// (`.ti3`; argyllcms.com, "File formats", "CGATS").
///
/// Words are separated by white space, and a text with spaces has quotation marks. The names of the fields are between
/// `BEGIN_DATA_FORMAT` and `END_DATA_FORMAT`, and the values between `BEGIN_DATA` and `END_DATA`. The colours are those
/// of `LAB_` or `XYZ_`, for D50 and 2°, as the standard requires unless the file says otherwise.
enum MeasurementTable {
    static let beginning = "BEGIN_DATA_FORMAT"

    private typealias Word = (text: String, line: Int)

    static func entries(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        let words = words(lines)
        guard let start = words.firstIndex(where: { $0.text == beginning }),
            let end = words[start...].firstIndex(where: { $0.text == "END_DATA_FORMAT" })
        else { throw .init("its table has no end of the data format") }
        try checkConditions(words[..<start])
        let fields = words[start + 1..<end].map { $0.text.uppercased() }
        let line = words[start].line
        guard let begin = words[end...].firstIndex(where: { $0.text == "BEGIN_DATA" }),
            let finish = words[begin...].firstIndex(where: { $0.text == "END_DATA" })
        else { throw .init(line: line, "the table has no data, or no end of it") }
        let values = words[begin + 1..<finish]
        guard
            let colors = ["LAB_L LAB_A LAB_B", "XYZ_X XYZ_Y XYZ_Z"].lazy
                .map({ $0.split(separator: " ").compactMap { fields.firstIndex(of: String($0)) } })
                .first(where: { $0.count == 3 })
        else {
            throw .init(line: line, "the table has neither Lab nor XYZ: a field LAB_L or XYZ_X is missing")
        }
        let isLab = fields[colors[0]] == "LAB_L"
        let name = ["SAMPLE_NAME", "SAMPLE_LOC", "SAMPLE_ID", "SAMPLEID"].lazy
            .compactMap { fields.firstIndex(of: $0) }.first
        guard values.count.isMultiple(of: fields.count) else {
            throw .init(line: words[finish].line, "the data are not whole rows of \(fields.count) values")
        }
        guard values.count / fields.count <= Palette.maxCount else { throw .tooMany }
        var entries: [Palette.Entry] = []
        for row in stride(from: values.startIndex, to: values.endIndex, by: fields.count) {
            let numbers = colors.compactMap { Double(values[row + $0].text) }
            let lab = numbers.count == 3 ? (isLab ? CIELab(numbers) : CIELab(percentXYZ: numbers)) : nil
            guard let lab else {
                throw .init(line: values[row].line, "expected three numbers of a colour in \(isLab ? "Lab" : "XYZ")")
            }
            entries.append(.init(name: name.map { values[row + $0].text } ?? "", lab: lab))
        }
        return entries
    }

    /// Refuses colours for another light or observer, which do not compare.
    private static func checkConditions(_ words: ArraySlice<Word>) throws(PaletteFile.Problem) {
        for (index, word) in words.enumerated() where index + 1 < words.count {
            let value = words[words.startIndex + index + 1].text.uppercased()
            let isOther =
                switch word.text.uppercased() {
                case "WEIGHTING_FUNCTION":
                    value.contains("ILLUMINANT") && !value.contains("D50")
                        || value.contains("OBSERVER") && value.contains("10")
                case "ILLUMINATION_NAME", "ILLUMINANT_NAME": value != "D50"
                case "OBSERVER_ANGLE": value.hasPrefix("10")
                case "DEVICE_CLASS": value == "DISPLAY"
                default: false
                }
            if isOther {
                throw .init(line: word.line, "its colours are for \(value.sanitized(limit: 40)), not for D50 and 2°")
            }
        }
    }

    /// Returns the words of a file. `#` begins a comment, and two quotation marks in a text are one.
    private static func words(_ lines: [Substring]) -> [Word] {
        var words: [Word] = []
        for (index, line) in lines.enumerated() {
            var rest = line.unicodeScalars[...]
            while let first = rest.first, first != "#" {
                if first.properties.isWhitespace {
                    rest.removeFirst()
                } else if first == "\"" {
                    rest.removeFirst()
                    var text = String.UnicodeScalarView()
                    while let scalar = rest.popFirst() {
                        if scalar == "\"" {
                            guard rest.first == "\"" else { break }
                            rest.removeFirst()
                        }
                        text.append(scalar)
                    }
                    words.append((String(text), index + 1))
                } else {
                    let word = rest.prefix { !$0.properties.isWhitespace }
                    words.append((String(word), index + 1))
                    rest = rest[word.endIndex...]
                }
            }
        }
        return words
    }
}

extension CIELab {
    /// - Parameter values: L*, a* and b*.
    /// - Returns: Nil if they are not those of a surface.
    init?(_ values: [Double]) {
        guard values.count == 3, 0...110 ~= values[0], abs(values[1]) <= 200, abs(values[2]) <= 200 else { return nil }
        self.init(lightness: values[0], a: values[1], b: values[2])
    }

    /// - Parameter values: X, Y and Z relative to D50, with Y = 100 for white.
    /// - Returns: Nil if they are not those of a surface.
    init?(percentXYZ values: [Double]) {
        guard values.count == 3, values.allSatisfy({ 0...130 ~= $0 }) else { return nil }
        self.init(d50X: values[0] / 100, y: values[1] / 100, z: values[2] / 100)
    }
}
