import Foundation
import Testing

@testable import Untrusted

@Suite("The limits of JSON")
struct JSONLimitsTests {
    private func allows(_ json: String) -> Bool { JSONLimits.allow(Data(json.utf8)) }

    private func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    @Test("let eight arrays stand in one another, and not nine")
    func depth() {
        #expect(allows(nested(8)))
        #expect(!allows(nested(9)))
    }

    @Test("count objects like arrays")
    func objects() {
        #expect(allows(nested(4, #"{"a":["#, "]}")))
        #expect(!allows(nested(5, #"{"a":["#, "]}")))
    }

    @Test("do not count what stands side by side as depth")
    func siblings() {
        #expect(allows("[" + Array(repeating: "[]", count: 100).joined(separator: ",") + "]"))
    }

    @Test("let a thousand values be, and not one more")
    func values() {
        // The array is a value itself, and a comma stands before each further one.
        #expect(allows("[" + Array(repeating: "0", count: 999).joined(separator: ",") + "]"))
        #expect(!allows("[" + Array(repeating: "0", count: 1000).joined(separator: ",") + "]"))
    }

    @Test(
        "do not look into strings",
        arguments: [#"["[[[[[[[[[[[["]"#, #"["\"[[[[[[[[[[[["]"#, #"["\\", "[[[[[[[[[["]"#])
    func inStrings(json: String) {
        #expect(allows(json))
    }

    @Test("find what stands behind a string", arguments: [#"["\\", "#, #"["a\"", "#, #"["", "#])
    func behindStrings(start: String) {
        #expect(!allows(start + nested(9)))
    }

    @Test("do not let UTF-16 through, whose letters would hide quotation marks", arguments: [true, false])
    func otherEncodings(isBigEndian: Bool) throws {
        let json = try #require(
            #"["\#u{2200}", [[[[[[[[[]]]]]]]]]]"#.data(using: isBigEndian ? .utf16BigEndian : .utf16LittleEndian))
        #expect(!JSONLimits.allow(json))
    }

    @Test(
        "let strings be of 255 scalars, whatever they are and however they are written, and not longer",
        arguments: ["a", "\u{301}", "\u{1F600}", #"\n"#, #"\""#, #"\u00e9"#, #"\u00E9"#, #"\ud83d\ude00"#])
    func strings(scalar: String) {
        #expect(allows("[\"" + String(repeating: scalar, count: 255) + "\"]"))
        #expect(!allows("[\"" + String(repeating: scalar, count: 256) + "\"]"))
        #expect(!allows("{\"" + String(repeating: scalar, count: 256) + "\": 0}"))
    }

    @Test("bound strings of what is no scalar", arguments: [Array(#"\ud800"#.utf8), [0x80]])
    func halfScalars(half: [UInt8]) {
        let string = repeatElement(half, count: 12 * 255 / half.count + 1).joined()
        #expect(!JSONLimits.allow(Data(Array("[\"".utf8) + string + Array("\"]".utf8))))
    }

    @Test("end a string at its quotation mark, though an escape before it is cut off", arguments: 0...3)
    func cutOffEscapes(digits: Int) {
        #expect(!allows(#"["\u"# + String(repeating: "0", count: digits) + "\", " + nested(9)))
    }

    @Test("count what follows four digits as a letter of its own")
    func digitsBehindEscapes() {
        #expect(!allows("[\"" + String(repeating: #"\u00410"#, count: 128) + "\"]"))
        #expect(allows("[\"" + String(repeating: #"\u00410"#, count: 127) + "\"]"))
    }

    @Test("count each string for itself")
    func manyStrings() {
        let string = "\"" + String(repeating: "a", count: 200) + "\""
        #expect(allows("[" + Array(repeating: string, count: 100).joined(separator: ",") + "]"))
    }
}
