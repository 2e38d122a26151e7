/// The encodings of files with colours that are text.
extension PaletteFile {
    /// Returns the text of a file, and a sentence about its encoding if that is a guess.
    ///
    /// UTF-8 is recognised without a mark, UTF-16 by its mark. Any other text is taken for Windows-1252, in which
    /// older programs write, and of which Latin-1 is a part.
    static func text(_ bytes: [UInt8]) throws(Problem) -> (text: String, note: String?) {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            return (try utf16(bytes, isBigEndian: bytes[0] == 0xFE), nil)
        }
        guard !bytes.contains(0) else { throw .unknownFormat }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        if let text = String(validating: bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self) { return (text, nil) }
        guard bytes.allSatisfy({ $0 >= 0x20 || 0x09...0x0D ~= $0 }) else { throw .unknownFormat }
        let line = firstLine(of: bytes) { String(validating: $0, as: UTF8.self) == nil }
        if hasMark { throw .init(line: line, "the file begins as UTF-8, but this line is in another encoding") }
        if let undefined = bytes.first(where: { scalar($0) == nil }) {
            throw .init(
                line: firstLine(of: bytes) { $0.contains(undefined) },
                "the byte 0x\(String(undefined, radix: 16, uppercase: true)) is neither UTF-8 nor Windows-1252; "
                    + "save the file as UTF-8")
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes.compactMap(scalar))
        return (
            String(text),
            "Line \(line) is not UTF-8, so the file is read as Windows-1252. If names look wrong, save it as UTF-8."
        )
    }

    private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) throws(Problem) -> String {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self),
            !text.utf8.contains(0)
        else { throw .init("it begins as UTF-16, but not all of it is; save it as UTF-8") }
        return text
    }

    /// Returns the number of the first line for which a condition holds.
    private static func firstLine(of bytes: [UInt8], where condition: (ArraySlice<UInt8>) -> Bool) -> Int {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let lines = bytes.split(
            separator: bytes.contains(lineFeed) ? lineFeed : carriageReturn, omittingEmptySubsequences: false)
        return (lines.firstIndex(where: condition) ?? 0) + 1
    }

    /// The characters of 0x80...0x9F in Windows-1252 (unicode.org, `CP1252.TXT`); 0 where none is defined.
    private static let windows1252: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Returns the character of a byte in Windows-1252; nil if none is defined.
    private static func scalar(_ byte: UInt8) -> Unicode.Scalar? {
        guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
        let value = windows1252[Int(byte) - 0x80]
        return value == 0 ? nil : Unicode.Scalar(value)
    }
}

extension PaletteFile.Problem {
    fileprivate static let unknownFormat = Self(
        "it is neither a GIMP palette, Adobe Swatch Exchange, Adobe Color, CxF3, nor CGATS.17 or comma-separated values"
    )
}
