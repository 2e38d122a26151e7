import Testing

@testable import Untrusted

@Suite("Trimmed text")
struct TrimmedTests {
    @Test(
        "white space is removed from both ends of a text and nowhere else",
        arguments: [
            ("", ""), (" ", ""), ("\r\n", ""), ("a", "a"), (" \t\u{A0}a b\u{2028}\r\n", "a b"),
            (" \u{301}a", "\u{301}a"), ("a\u{200B}", "a\u{200B}"),
        ])
    func ends(text: String, trimmed: String) {
        #expect(Array(text.trimmed.unicodeScalars) == Array(trimmed.unicodeScalars))
    }
}
