import Testing

@testable import Configuration

@Suite("TOML guard")
struct TOMLGuardTests {
    private func hazard(_ text: String) -> String? {
        TOMLGuard.firstHazard(in: text, TOMLLexer.tokens(of: text))?.message
    }

    private func dotted(_ parts: Int) -> String { Array(repeating: "a", count: parts).joined(separator: ".") }

    @Test(
        "valid texts with brackets, dots and blanks in any place have no hazard",
        arguments: [
            "", "x = 1 ", "x = 1979-05-27 07:32:00 ", "x = 1979-05-27\t", "x = [\n[1],\n[2]\n]\n[a]\n", "x = [[\n1]]",
            "x = [\n1,\n2\n]", "x = [ ]", "x = {}", "x = [{a = 1},\n{b = [1]}]",
            "[_a]\n[-a]\n[Z9]\n[0]\n[z.'b']\n[\"\"]",
            "[[a]]\nb = 1", "x = 1#c", "x = [1#c\n]", "x = \"\u{7F}\u{1F}é\" # é\u{7F}", "~ = 1", "x =", "x = \n",
        ])
    func valid(text: String) {
        #expect(hazard(text) == nil)
    }

    @Test(
        "no form of value in TOML 1.0.0 is a hazard",
        arguments: [
            "0", "-0", "+12", "1_000", "0.5", "1e5", "1E-5", "1.5e+1_0", "0x1F_a0", "0o7_1", "0b1_0", "inf", "-nan",
            "true", "false", "1979-05-27", "1979-05-27T07:32:00", "1979-05-27t07:32:00.5Z", "1979-05-27 07:32:00+01:00",
            "07:32:00", "07:32:00.123",
        ])
    func value(text: String) {
        #expect(hazard("x = \(text)") == nil)
        #expect(hazard("x = [\(text)]\ny = {a = \(text)}") == nil)
    }

    @Test(
        "a value of another form is a hazard, wherever a value may be",
        arguments: ["640px", "00", "1_", "1.", "0xg", "yes", "1979-05-2", "7:32:00", "1979-05-27T", "="])
    func noValue(text: String) {
        let message = "\(text) is not a value; expected a number, true, false or a string in quotes"
        #expect(hazard("x = \(text)") == message)
        #expect(hazard("x = [\n1,\n\(text)\n]") == message)
        #expect(hazard("x = [\(text)]") == message)
        #expect(hazard("x = {a = \(text)}") == message)
    }

    @Test(
        "numbers have up to a hundred characters, brackets are nested up to 16 deep, and keys have up to 17 parts",
        arguments: [
            ("x = ", 100, "1", "", ""), ("x = ", 16, "[", "", "]"), ("x = ", 16, "{a = ", "1", "}"),
            ("", 16, "a.", "a = 1", ""), ("[", 16, "a.", "a]", ""),
        ])
    func limits(start: String, most: Int, part: String, middle: String, end: String) {
        for count in [most, most + 1] {
            let text = start + String(repeating: part, count: count) + middle + String(repeating: end, count: count)
            #expect((hazard(text) == nil) == (count == most))
        }
    }

    @Test("the parts of one key do not count for the next one, and neither do brackets that are closed")
    func separate() {
        #expect(hazard("\(dotted(12)) = 1.5\n\(dotted(12)) = 2.5\n[\(dotted(12))]\n[\(dotted(12))]") == nil)
        #expect(hazard("x = [" + Array(repeating: "1.5", count: 100).joined(separator: ", ") + "]") == nil)
        #expect(hazard("x = {" + (1...9).map { "b\($0).c.d = 1.5" }.joined(separator: ", ") + "}") == nil)
        #expect(hazard((1...30).map { "[a\($0)]\nx = {b = [1]}\n" }.joined()) == nil)
    }

    @Test(
        "a control character outside of strings is a hazard", arguments: ["\u{1}", "\u{1F}", "\u{7F}", "\u{80}", "\r"])
    func control(scalar: String) {
        #expect(
            hazard("a\(scalar)b = 1")?.hasSuffix("contains characters that are allowed only in strings and comments")
                == true)
    }

    @Test("a long row of combining marks is a hazard, also if it is written by escapes")
    func marks() {
        for mark in ["\u{301}", #"\u0301"#] {
            let row = String(repeating: mark, count: 31)
            for text in ["\"a\(row)\" = 1", "[[x]]\na = \"\(row)\""] {
                #expect(hazard(text) == "this string has more than 30 combining marks in a row")
            }
        }
    }

    @Test("a brace that closes a list is a hazard, and a bracket that closes nothing is left to the parser")
    func brackets() {
        #expect(hazard("x = [1}") == #"this "}" closes a list; expected "]""#)
        #expect(hazard("x = [{a = 1}}") == #"this "}" closes a list; expected "]""#)
        #expect(hazard("x = {a = [1]}") == nil)
        #expect(hazard("x = 1]") == nil)
    }
}
