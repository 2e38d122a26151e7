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

    private static let cases: [(String, [TOMLToken.Kind])] = [
        // A basic string has its escapes resolved, and a literal one has none.
        (#""a\b\t\n\f\r\e\"\\""#, [.string("a\u{8}\t\n\u{C}\r\u{1B}\"\\")]),
        (#""\x41\u00e9\U0001F600z""#, [.string("Aé\u{1F600}z")]), (#""\u00zz""#, [.string("\u{FFFD}zz")]),
        (#""\uD800""#, [.string("\u{FFFD}")]), (#""\u00٣""#, [.string("\u{FFFD}٣")]), (#""\q""#, [.string("q")]),
        (#"'a\nb"c'"#, [.string(#"a\nb"c"#)]),
        // A string of several lines ends at three quotes, which one or two others may precede; a third begins another.
        ("'''a\nb'''x", [.string("a\nb"), .bare("x")]), (#""""a""b"""x"#, [.string(#"a""b"#), .bare("x")]),
        (#""""a""""x"#, [.string(#"a""#), .bare("x")]), (#""""a"""""x"#, [.string(#"a"""#), .bare("x")]),
        (#"""""""x"#, [.string(""), .bare("x")]), ("'''a'''''''", [.string("a''"), .string("")]),
        ("'' x", [.string(""), .bare("x")]),
        // A string that does not end on its line ends with it.
        ("'a\nb", [.string("a"), .newline, .bare("b")]), ("\"a\\", [.string("a\\")]),
        // A NUL is a token, even in a comment. A carriage return without a line feed belongs to a key.
        ("# a\0b\n", [.bare("\0b"), .newline]), ("a\rb\r\n", [.bare("a\rb"), .newline]),
    ]

    @Test("strings, NULs and carriage returns are read as TOML defines them", arguments: cases)
    func strings(text: String, expected: [TOMLToken.Kind]) {
        #expect(kinds(text) == expected)
    }
}
