/// Splits a TOML text into tokens.
///
/// The parser reports the values of a document, but not their positions, which the lexer finds. It accepts any text,
/// and agrees with the parser up to the first syntax error, where the parser stops.
struct TOMLLexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var position = TextPosition(line: 1, column: 1)

    /// Returns the tokens of a text, without comments and spaces.
    static func tokens(of text: String) -> [TOMLToken] {
        var lexer = TOMLLexer(scalars: Array(text.unicodeScalars))
        var tokens: [TOMLToken] = []
        while let scalar = lexer.peek() {
            let (position, offset) = (lexer.position, lexer.index)
            let kind: TOMLToken.Kind
            switch scalar {
            case " ", "\t":
                lexer.advance()
                continue
            case "\r" where lexer.peek(1) == "\n":
                lexer.advance()
                continue
            case "#":
                // A NUL is a token even in a comment, because the text would end there for the parser.
                while let scalar = lexer.peek(), scalar != "\n", scalar != "\0" { lexer.advance() }
                continue
            case "\n":
                lexer.advance()
                kind = .newline
            case ".", "=", ",", "[", "]", "{", "}":
                lexer.advance()
                kind = .mark(scalar)
            case "\"", "'": kind = .string(lexer.string(quote: scalar))
            default: kind = .bare(lexer.bare())
            }
            tokens.append(TOMLToken(kind: kind, position: position, offset: offset))
        }
        return tokens
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private mutating func bare() -> String {
        var result = String.UnicodeScalarView()
        while let scalar = peek(), !" \t\n#.=,[]{}\"'".unicodeScalars.contains(scalar) {
            if scalar == "\r", peek(1) == "\n" { break }
            result.append(scalar)
            advance()
        }
        return String(result)
    }

    private mutating func string(quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        let isMultiline = peek(1) == quote && peek(2) == quote
        for _ in 0..<(isMultiline ? 3 : 1) { advance() }
        while let scalar = peek() {
            if scalar == quote, !isMultiline || (peek(1) == quote && peek(2) == quote) {
                for _ in 0..<(isMultiline ? 3 : 1) { advance() }
                // Up to two quotes may precede the closing three.
                var extra = 0
                while isMultiline, extra < 2, peek() == quote {
                    result.append(quote)
                    advance()
                    extra += 1
                }
                break
            }
            // The string does not end on its line, which the parser refuses.
            if scalar == "\n", !isMultiline { break }
            advance()
            result.append(scalar == "\\" && quote == "\"" ? escape() : scalar)
        }
        return String(result)
    }

    /// Returns the scalar that an escape sequence after a backslash stands for.
    private mutating func escape() -> Unicode.Scalar {
        guard let scalar = peek() else { return "\\" }
        advance()
        switch scalar {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "e": return "\u{1B}"
        case "x": return hexadecimal(2)
        case "u": return hexadecimal(4)
        case "U": return hexadecimal(8)
        default: return scalar
        }
    }

    private mutating func hexadecimal(_ digits: Int) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = peek(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                return "\u{FFFD}"
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        index + ahead < scalars.count ? scalars[index + ahead] : nil
    }

    private mutating func advance() {
        position.advance(past: scalars[index])
        index += 1
    }
}

/// A token of a TOML text, only as fine as finding the keys requires.
struct TOMLToken: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A bare key, or a number, boolean or date, or a part of one.
        case bare(String)
        /// A string of any of the four kinds, with its escapes resolved.
        case string(String)
        /// One of `. = , [ ] { }`.
        case mark(Unicode.Scalar)
        case newline
    }

    var kind: Kind
    var position: TextPosition
    /// The number of scalars before the token.
    var offset: Int
}
