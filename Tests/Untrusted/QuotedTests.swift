import Testing

@testable import Untrusted

@Suite("A user's text in messages")
struct QuotedTests {
    @Test("a quoted text has at most 60 scalars, and an ellipsis if it is longer")
    func limit() {
        let text = String(repeating: "a", count: 60)
        #expect(text.quoted() == "\"\(text)\"")
        #expect((text + "b").quoted() == "\"\(text)…\"")
    }

    @Test("a string of TOML is never cut off")
    func toml() {
        let text = String(repeating: "a", count: 1000)
        #expect((text + "\"").toml == "\"\(text)\\\"\"")
    }

    @Test(
        "scalars that are not plain are written as TOML escapes",
        arguments: [
            ("a\nb\rc\td", #"a\nb\rc\td"#), ("\u{7}", #"\u0007"#), ("\u{202E}", #"\u202E"#),
            ("\u{E0041}", #"\U000E0041"#), ("\u{FFFE}", #"\uFFFE"#), ("e\u{301}", "e\u{301}"),
            ("\u{301}e", #"\u0301e"#), ("ü 📷", "ü 📷"),
        ])
    func escapes(text: String, escaped: String) {
        #expect(text.escaped() == escaped)
    }

    @Test("quotation marks and backslashes are escaped in a quoted text only")
    func quotes() {
        #expect(#"a"b\c"#.quoted() == #""a\"b\\c""#)
        #expect(#"a"b\c"#.escaped() == #"a"b\c"#)
    }
}
