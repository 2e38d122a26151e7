import Testing

@testable import Configuration

@Suite("TOML lexer")
struct TOMLLexerTests {
    private func kinds(_ text: String) -> [TOMLToken.Kind] { TOMLLexer.tokens(of: text).map(\.kind) }

    @Test("a text is split into keys, marks and ends of lines, without comments and spaces")
    func tokens() {
        let expected: [TOMLToken.Kind] = [
            .mark("["), .bare("a"), .mark("."), .bare("b"), .mark("]"), .newline, .bare("d"), .mark("="), .mark("{"),
            .bare("e"), .mark("="), .bare("1"), .mark("."), .bare("5"), .mark("}"), .mark(","), .newline,
        ]
        #expect(kinds("[a.b] # c = 1\r\nd\t= {e = 1.5},\n") == expected)
    }

    @Test("a token has its line, column and offset in scalars")
    func places() {
        let tokens = TOMLLexer.tokens(of: "é = \"x\"\n  b")
        #expect(tokens.map(\.position.line) == [1, 1, 1, 1, 2])
        #expect(tokens.map(\.position.column) == [1, 3, 5, 8, 3])
        #expect(tokens.map(\.offset) == [0, 2, 4, 7, 10])
    }

    private static let escapes: [(String, String)] = [
        (#""a\b\t\n\f\r\e\"\\""#, "a\u{8}\t\n\u{C}\r\u{1B}\"\\"), (#""\x41\u00e9\U0001F600z""#, "Aé\u{1F600}z"),
        (#""\u00zz""#, "\u{FFFD}zz"), (#""\uD800""#, "\u{FFFD}"), (#""\u00٣""#, "\u{FFFD}٣"), (#""\q""#, "q"),
    ]

    @Test("a basic string has its escapes resolved", arguments: escapes)
    func basic(text: String, value: String) {
        #expect(kinds(text) == [.string(value)])
    }

    @Test("a literal string has no escapes")
    func literal() {
        #expect(kinds(#"'a\nb"c'"#) == [.string(#"a\nb"c"#)])
    }

    private static let multiline: [(String, String)] = [
        ("'''a\nb'''", "a\nb"), (#""""a""b""""#, #"a""b"#), (#""""a"""""#, #"a""#), (#""""a""""""#, #"a"""#),
        (#""""""""#, ""),
    ]

    @Test("a string of several lines ends at three quotes, which one or two others may precede", arguments: multiline)
    func several(text: String, value: String) {
        #expect(kinds(text + "x") == [.string(value), .bare("x")])
    }

    @Test("a third further quote begins another string")
    func furtherQuotes() {
        #expect(kinds("'''a'''''''") == [.string("a''"), .string("")])
    }

    @Test("an empty string does not begin one of several lines")
    func empty() {
        #expect(kinds("'' x") == [.string(""), .bare("x")])
    }

    @Test("a string that does not end on its line ends with it")
    func unfinished() {
        #expect(kinds("'a\nb") == [.string("a"), .newline, .bare("b")])
        #expect(kinds("\"a\\") == [.string("a\\")])
    }

    @Test("a NUL is a token, even in a comment")
    func nul() {
        #expect(kinds("# a\0b\n") == [.bare("\0b"), .newline])
    }

    @Test("a carriage return without a line feed belongs to a key")
    func carriageReturn() {
        #expect(kinds("a\rb\r\n") == [.bare("a\rb"), .newline])
    }
}
