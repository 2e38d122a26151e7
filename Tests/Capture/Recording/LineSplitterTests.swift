import Testing

@testable import Capture

@Suite("Lines of a file that is read in pieces")
struct LineSplitterTests {
    private func lines(_ pieces: String..., longest: Int = 5) -> [String?] {
        var splitter = LineSplitter(longest: longest)
        var lines: [String?] = []
        for piece in pieces {
            splitter.add(Array(piece.utf8)) { lines.append($0.map { String(decoding: $0, as: UTF8.self) }) }
        }
        return lines
    }

    @Test("lines have no line breaks, and may be in several pieces")
    func lineBreaks() { #expect(lines("a\r\nb", "c\nd", "e", "\n\nx") == ["a", "bc", "de", ""]) }

    @Test("a line that is too long is reported once, in however many pieces it comes, and the next line is read")
    func tooLong() {
        #expect(lines("12345\n123456\n12") == ["12345", nil])
        #expect(lines("1234", "5678", "9012", "3\nab\n") == [nil, "ab"])
    }
}
