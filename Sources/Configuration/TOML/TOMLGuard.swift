import Untrusted

/// Finds texts that would crash or mislead the parser.
///
/// The parser (toml++ 3.4.0 in TOMLKit 0.6.0) handles valid TOML and most errors, but some texts end the process: it
/// asserts, even in release builds, instead of reporting an error (`[$]`, `[1, }`, `1979-05-27 0`, `0:-`), and recurses
/// without a limit for dotted keys (100,000 parts overflow the stack). TOMLKit also passes C strings, so that a NUL
/// silently ends the text or a value. No valid configuration contains any of these. They are refused before the parser
/// sees them.
struct TOMLGuard {
    /// The maximum nesting of brackets, and the maximum number of parts of a dotted key.
    static let maxDepth = 16

    private let scalars: [Unicode.Scalar]

    /// Numbers, booleans, dates and times of TOML 1.0.0. No text of this form triggers an assertion of the parser.
    private let valuePattern =
        #/
        [+\-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+\-]?[0-9](_?[0-9])*)?
        | 0x[0-9A-Fa-f](_?[0-9A-Fa-f])* | 0o[0-7](_?[0-7])* | 0b[01](_?[01])*
        | [+\-]?(inf|nan) | true | false
        | [0-9]{4}-[0-9]{2}-[0-9]{2}([Tt\x20][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+\-][0-9]{2}:[0-9]{2})?)?
        | [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?
        /#

    /// Returns the first token that the parser must not see, and why.
    static func firstHazard(in text: String, _ tokens: [TOMLToken]) -> (token: TOMLToken, message: String)? {
        let guardian = TOMLGuard(scalars: Array(text.unicodeScalars))
        var brackets: [Unicode.Scalar] = []
        var dots = 0
        var isLineStart = true
        var isHeader = false
        var isValueStart = false
        for (index, token) in tokens.enumerated() {
            if isLineStart, brackets.isEmpty {
                isHeader = token.kind == .mark("[")
                if isHeader, !guardian.hasName(tokens[(index + 1)...]) {
                    return (token, "expected the name of a table between these brackets, such as [camera]")
                }
            }
            isLineStart = token.kind == .newline
            if let message = guardian.hazard(token) { return (token, message) }
            if isValueStart, let text = guardian.badValue(token) {
                let expected = "a number, true, false or a string in quotes"
                return (token, "\(text.escaped(limit: String.maxQuoted)) is not a value; expected \(expected)")
            }
            if token.kind == .mark("}"), brackets.last == "[" {
                return (token, "this \"}\" closes a list; expected \"]\"")
            }
            switch token.kind {
            case .mark("."): dots += 1
            case .mark, .newline: dots = 0
            case .bare, .string: break
            }
            switch token.kind {
            case .mark("["): brackets.append("[")
            case .mark("{"): brackets.append("{")
            case .mark("]"), .mark("}"): _ = brackets.popLast()
            default: break
            }
            switch token.kind {
            case .mark("="): isValueStart = true
            case .mark("["), .mark(","): isValueStart = brackets.last == "[" && !isHeader
            case .newline: isValueStart = isValueStart && brackets.last == "["
            default: isValueStart = false
            }
            if max(brackets.count, dots) > Self.maxDepth {
                return (token, "nested more than \(Self.maxDepth) levels deep")
            }
        }
        return nil
    }

    /// Returns the problem of a token that is invalid in any place.
    private func hazard(_ token: TOMLToken) -> String? {
        switch token.kind {
        case .string(let text) where text.unicodeScalars.contains("\0"):
            return "this string contains a NUL character, which is not allowed"
        case .string(let text) where !text.isStreamSafe:
            return "this string has more than \(String.maxMarks) combining marks in a row"
        case .bare(let text) where text.unicodeScalars.contains("\0"):
            return "this is a NUL byte; the file is not text, or is damaged"
        case .bare(let text) where text.unicodeScalars.contains { !$0.isASCII || $0.value < 0x20 || $0.value == 0x7F }:
            return "\(text.quoted()) contains characters that are allowed only in strings and comments"
        default:
            return nil
        }
    }

    /// Whether a possible name follows the bracket of a table header.
    private func hasName(_ rest: ArraySlice<TOMLToken>) -> Bool {
        let rest = rest.first?.kind == .mark("[") ? rest.dropFirst() : rest
        switch rest.first?.kind {
        case .string, .mark("]"): return true
        case .bare(let name): return name.utf8.first?.isWordCharacter ?? false
        default: return false
        }
    }

    /// Returns the text in place of a value if it is not a valid value; nil if it is.
    private func badValue(_ token: TOMLToken) -> String? {
        switch token.kind {
        case .string, .newline, .mark("["), .mark("{"), .mark("]"), .mark("}"), .mark(","): return nil
        case .bare, .mark: break
        }
        var end = endOfRun(from: token.offset)
        // A space may separate a date from its time.
        if end + 1 < scalars.count, scalars[end] == " ", ("0"..."9").contains(scalars[end + 1]) {
            end = endOfRun(from: end + 1)
        }
        let text = String(String.UnicodeScalarView(scalars[token.offset..<end]))
        // A longer text is not a number that fits. The parser's own limit is 127.
        return text.utf8.count <= 100 && text.wholeMatch(of: valuePattern) != nil ? nil : text
    }

    private func endOfRun(from start: Int) -> Int {
        scalars[start...].firstIndex(where: \.endsValue) ?? scalars.count
    }
}

extension Unicode.Scalar {
    /// Whether the parser ends a number or a date here.
    fileprivate var endsValue: Bool {
        properties.isWhitespace || ["]", "}", ",", "#"].contains(self)
    }
}
