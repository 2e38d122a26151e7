import Color
import FoundationEssentials
import Untrusted

/// A table of measurements by CGATS.17 (ISO 28178), which colour charts come with (`.cie`, `.txt`) and Argyll writes
/// (`.ti3`; argyllcms.com, "File formats", "CGATS").
///
/// Words are separated by white space, and a text with spaces has quotation marks. The names of the fields are between
/// `BEGIN_DATA_FORMAT` and `END_DATA_FORMAT`, and the values between `BEGIN_DATA` and `END_DATA`. The colours are those
/// of `LAB_` or `XYZ_`, for D50 and 2°, as the standard requires unless the file says otherwise. `KEYWORD "NAME"` only
/// declares that the file has a keyword of this name.
enum MeasurementTable {
    static let beginning = "BEGIN_DATA_FORMAT"

    private typealias Word = (text: String, isQuoted: Bool, line: Int)

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
        try checkCount("NUMBER_OF_FIELDS", fields.count, words[..<begin])
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
        try checkCount("NUMBER_OF_SETS", values.count / fields.count, words[..<begin])
        var entries: [Palette.Entry] = []
        for row in stride(from: values.startIndex, to: values.endIndex, by: fields.count) {
            let numbers = colors.compactMap { PaletteFile.number(values[row + $0].text) }
            let lab = numbers.count == 3 ? (isLab ? CIELab(numbers) : CIELab(percentXYZ: numbers)) : nil
            guard let lab else {
                throw .init(line: values[row].line, "expected three numbers of a colour in \(isLab ? "Lab" : "XYZ")")
            }
            entries.append(.init(name: name.map { values[row + $0].text } ?? "", lab: lab))
        }
        return entries
    }

    /// Refuses a table whose number of fields or rows is not that of its header: something is missing or was added.
    private static func checkCount(
        _ keyword: String, _ count: Int, _ words: ArraySlice<Word>
    ) throws(PaletteFile.Problem) {
        guard let index = words.firstIndex(where: { !$0.isQuoted && $0.text.uppercased() == keyword }),
            let stated = words[index...].dropFirst().first.flatMap({ Int($0.text) }), stated != count
        else { return }
        throw .init(line: words[index].line, "\(keyword) is \(stated), but the table has \(count)")
    }

    /// Refuses colours for another light or observer, which do not compare.
    private static func checkConditions(_ words: ArraySlice<Word>) throws(PaletteFile.Problem) {
        var rest = words
        while let word = rest.popFirst() {
            guard !word.isQuoted else { continue }
            let keyword = word.text.uppercased()
            guard keyword != "KEYWORD" else {
                rest = rest.dropFirst()
                continue
            }
            if let other = otherCondition(keyword, value(rest.prefix { $0.line == word.line })) {
                throw .init(line: word.line, "its colours are for \(other.sanitized(limit: 40)), not for D50 and 2°")
            }
        }
    }

    /// Returns the value of a keyword: the next word, and those that follow if they have no quotation marks.
    private static func value(_ rest: ArraySlice<Word>) -> String {
        guard let first = rest.first, !first.isQuoted else { return (rest.first?.text ?? "").uppercased() }
        return rest.prefix { !$0.isQuoted }.map(\.text).joined(separator: " ").uppercased()
    }

    /// Returns the light or observer that a keyword states; nil if it is D50 or 2°, or neither.
    private static func otherCondition(_ keyword: String, _ value: String) -> String? {
        switch keyword {
        case "WEIGHTING_FUNCTION":
            let isOther =
                value.contains("ILLUMINANT") && !value.hasD50 || value.contains("OBSERVER") && value.hasOtherAngle
            return isOther ? value : nil
        case "ILLUMINATION_NAME", "ILLUMINANT_NAME", "ILLUMINANT": return value.isEmpty || value.hasD50 ? nil : value
        case "OBSERVER_ANGLE", "OBSERVER": return value.hasOtherAngle ? value : nil
        case "MEASUREMENT_SOURCE":
            // ProfileMaker's "Illumination=D50<tab>ObserverAngle=2°". The lamp of the instrument may be here, too.
            let parts = value.split { $0.isWhitespace || $0 == ";" }
            return parts.first { part in
                let text = String(part)
                let light = String(text.rest(after: "ILLUMINATION=")?.drop { "DF".contains($0) } ?? "")
                let isLight = UInt(light) != nil || ["A", "C", "E"].contains(light)
                return isLight && !text.hasD50
                    || text.hasPrefix("OBSERVERANGLE=") && text.hasOtherAngle
            }.map { String($0) }
        case "DEVICE_CLASS": return value == "DISPLAY" ? value : nil
        default: return nil
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
                    words.append((String(text), true, index + 1))
                } else {
                    let word = rest.prefix { !$0.properties.isWhitespace }
                    words.append((String(word), false, index + 1))
                    rest = rest[word.endIndex...]
                }
            }
        }
        return words
    }
}

extension String {
    /// Whether one of the words is D50.
    fileprivate var hasD50: Bool { split { !$0.isLetter && !$0.isNumber }.contains("D50") }

    /// Whether the observer in this text is not that of 2°.
    ///
    /// The angle is the number before the unit, or else the first one, which may be the year of a standard: 1931 for 2°.
    fileprivate var hasOtherAngle: Bool {
        var rest = self[...]
        var first: Double?
        while let start = rest.firstIndex(where: { "0"..."9" ~= $0 }) {
            let digits = rest[start...].prefix { "0"..."9" ~= $0 || $0 == "." }
            rest = rest[digits.endIndex...]
            let unit = rest.drop { " _-".contains($0) }
            let number = Double(digits)
            if unit.hasPrefix("DEG") || unit.hasPrefix("°") || unit.hasPrefix("º") { return number != 2 }
            first = first ?? number
        }
        return first.map { $0 != 2 && $0 != 1931 } ?? false
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
