import Foundation
import Testing

@testable import Documents

@Suite("JSON limits")
struct JSONLimitsTests {
    private func allows(_ json: String) -> Bool { JSONLimits.allows(Data(json.utf8)) }

    private func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    @Test("arrays may be nested eight deep, but not nine")
    func depth() {
        #expect(allows(nested(8)))
        #expect(!allows(nested(9)))
    }

    @Test("objects count towards the depth like arrays")
    func objects() {
        #expect(allows(nested(4, #"{"a":["#, "]}")))
        #expect(!allows(nested(5, #"{"a":["#, "]}")))
    }

    @Test("arrays side by side do not add to the depth")
    func siblings() {
        #expect(allows("[" + Array(repeating: "[]", count: 100).joined(separator: ",") + "]"))
    }

    @Test("a text may have a thousand values, but not one more")
    func values() {
        // The array is itself a value, and a comma precedes each further one.
        #expect(allows("[" + Array(repeating: "0", count: 999).joined(separator: ",") + "]"))
        #expect(!allows("[" + Array(repeating: "0", count: 1000).joined(separator: ",") + "]"))
    }

    @Test(
        "brackets in strings do not count",
        arguments: [#"["[[[[[[[[[[[["]"#, #"["\"[[[[[[[[[[[["]"#, #"["\\", "[[[[[[[[[["]"#])
    func inStrings(json: String) {
        #expect(allows(json))
    }

    @Test("brackets after a string count", arguments: [#"["\\", "#, #"["a\"", "#, #"["", "#])
    func behindStrings(start: String) {
        #expect(!allows(start + nested(9)))
    }

    @Test("UTF-16 is refused, because its letters could hide quotation marks", arguments: [true, false])
    func otherEncodings(isBigEndian: Bool) throws {
        let json = try #require(
            #"["\#u{2200}", [[[[[[[[[]]]]]]]]]]"#.data(using: isBigEndian ? .utf16BigEndian : .utf16LittleEndian))
        #expect(!JSONLimits.allows(json))
    }

    @Test(
        "a string may have 255 scalars of any kind and notation, but not more",
        arguments: [
            "a", "\u{80}", "\u{FF}", "\u{FFFD}", "\u{301}", "\u{1F600}", #"\n"#, #"\""#, #"\u00e9"#, #"\u00E9"#,
            #"\ud83d\ude00"#,
        ])
    func strings(scalar: String) {
        #expect(allows("[\"" + String(repeating: scalar, count: 255) + "\"]"))
        #expect(!allows("[\"" + String(repeating: scalar, count: 256) + "\"]"))
        #expect(!allows("{\"" + String(repeating: scalar, count: 256) + "\": 0}"))
    }

    @Test(
        "a string of unpaired surrogates or stray continuation bytes is bounded",
        arguments: [Array(#"\ud800"#.utf8), [0x80]])
    func halfScalars(half: [UInt8]) {
        let string = repeatElement(half, count: 12 * 255 / half.count + 1).joined()
        #expect(!JSONLimits.allows(Data(Array("[\"".utf8) + string + Array("\"]".utf8))))
    }

    @Test("a NUL is refused, in a string and after a backslash", arguments: ["[\"\u{0}\"]", "[\"\\\u{0}\"]"])
    func nul(json: String) {
        #expect(!allows(json))
    }

    @Test("a cut-off escape does not hide the quotation mark that ends the string", arguments: 0...3)
    func cutOffEscapes(digits: Int) {
        #expect(!allows(#"["\u"# + String(repeating: "0", count: digits) + "\", " + nested(9)))
    }

    @Test("a digit after the four of an escape counts as a scalar of its own")
    func digitsBehindEscapes() {
        #expect(!allows("[\"" + String(repeating: #"\u00410"#, count: 128) + "\"]"))
        #expect(allows("[\"" + String(repeating: #"\u00410"#, count: 127) + "\"]"))
    }

    @Test("the length limit applies to each string separately")
    func manyStrings() {
        let string = "\"" + String(repeating: "a", count: 200) + "\""
        #expect(allows("[" + Array(repeating: string, count: 100).joined(separator: ",") + "]"))
    }
}
