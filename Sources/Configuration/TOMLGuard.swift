/// Finds what the parser cannot bear.
///
/// The parser (toml++ 3.4.0 in TOMLKit 0.6.0) is good at valid TOML and at most errors, but some texts end the process:
/// it asserts, in release builds too, where it should refuse (`[$]`, `[1, }`, `1979-05-27 0`, `0:-`), and recurses
/// without a limit for dotted keys (100,000 parts overflow the stack). TOMLKit moreover passes C strings, so that a NUL
/// silently ends the text or a value. No good configuration has any of these: they are refused before the parser sees
/// them.
struct TOMLGuard {
    /// Brackets within brackets, and parts of a dotted key, beyond which no configuration goes.
    static let depthLimit = 16

    private let scalars: [Unicode.Scalar]
    private let tokens: [TOMLToken]

    /// Numbers, booleans, dates and times of TOML 1.0.0. The parser's assertions all lie behind other texts.
    private let value =
        #/
        [+\-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+\-]?[0-9](_?[0-9])*)?
        | 0x[0-9A-Fa-f](_?[0-9A-Fa-f])* | 0o[0-7](_?[0-7])* | 0b[01](_?[01])*
        | [+\-]?(inf|nan) | true | false
        | [0-9]{4}-[0-9]{2}-[0-9]{2}([Tt\x20][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+\-][0-9]{2}:[0-9]{2})?)?
        | [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?
        /#

    /// The first thing that the parser must not see.
    static func firstHazard(in text: String, _ tokens: [TOMLToken]) -> (token: TOMLToken, message: String)? {
        TOMLGuard(scalars: Array(text.unicodeScalars), tokens: tokens).firstHazard()
    }

    private func firstHazard() -> (token: TOMLToken, message: String)? {
        var brackets: [Unicode.Scalar] = []
        var dots = 0
        var isLineStart = true
        var isHeader = false
        var isValueStart = false
        for (index, token) in tokens.enumerated() {
            if isLineStart, brackets.isEmpty {
                isHeader = token.kind == .mark("[")
                if isHeader, !hasName(tokens[(index + 1)...]) {
                    return (token, "the name of a table is wanted between these brackets, such as [camera]")
                }
            }
            isLineStart = token.kind == .newline
            if let message = hazard(token) { return (token, message) }
            if isValueStart, let text = badValue(token) {
                let wanted = "a number, true, false, or a string in quotes is wanted"
                return (token, "\(text.escaped(limit: String.quotedLimit)) is no value; \(wanted)")
            }
            if token.kind == .mark("}"), brackets.last == "[" {
                return (token, "this \"}\" closes a list; \"]\" is wanted")
            }
            switch token.kind {
            case .mark(let mark) where "[{".unicodeScalars.contains(mark):
                brackets.append(mark)
                dots = 0
            case .mark("]"), .mark("}"):
                _ = brackets.popLast()
                dots = 0
            case .mark("."): dots += 1
            case .mark, .newline: dots = 0
            case .bare, .string: break
            }
            switch token.kind {
            case .mark("="): isValueStart = true
            case .mark("["), .mark(","): isValueStart = brackets.last == "[" && !isHeader
            case .newline: isValueStart = isValueStart && brackets.last == "["
            default: isValueStart = false
            }
            if max(brackets.count, dots) > Self.depthLimit {
                return (token, "nested more than \(Self.depthLimit) levels deep")
            }
        }
        return nil
    }

    /// What is wrong with a token wherever it stands.
    private func hazard(_ token: TOMLToken) -> String? {
        switch token.kind {
        case .string(let text) where text.unicodeScalars.contains("\0"):
            return "a string has a NUL character in it; no value may"
        case .bare(let text) where text.unicodeScalars.contains("\0"):
            return "there is a NUL byte; this is not a text file, or a damaged one"
        case .bare(let text) where text.unicodeScalars.contains { !$0.isASCII || $0.value < 0x20 || $0.value == 0x7F }:
            return "\(text.quoted()) has characters that only strings and comments may have"
        default:
            return nil
        }
    }

    /// Whether something that could be a name follows the bracket of a table's header.
    private func hasName(_ rest: ArraySlice<TOMLToken>) -> Bool {
        let rest = rest.first?.kind == .mark("[") ? rest.dropFirst() : rest
        switch rest.first?.kind {
        case .string, .mark("]"): return true
        case .bare(let name): return name.unicodeScalars.first.map { $0.isASCII && $0.isBareKey } ?? false
        default: return false
        }
    }

    /// What stands where a value is wanted and is neither a string, nor a list or an inline table, nor any other value.
    private func badValue(_ token: TOMLToken) -> String? {
        switch token.kind {
        case .string, .newline, .mark("["), .mark("{"), .mark("]"), .mark("}"), .mark(","): return nil
        case .bare, .mark: break
        }
        var end = endOfRun(from: token.offset)
        // A date and its time may stand apart.
        if end + 1 < scalars.count, scalars[end] == " ", ("0"..."9").contains(scalars[end + 1]) {
            end = endOfRun(from: end + 1)
        }
        let text = String(String.UnicodeScalarView(scalars[token.offset..<end]))
        // Longer than any number that fits: the parser's own limit is 127.
        return text.utf8.count <= 100 && text.wholeMatch(of: value) != nil ? nil : text
    }

    private func endOfRun(from start: Int) -> Int {
        scalars[start...].firstIndex(where: \.endsValue) ?? scalars.count
    }
}

extension Unicode.Scalar {
    fileprivate var isBareKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// What the parser takes for the end of a number or a date.
    fileprivate var endsValue: Bool {
        properties.isWhitespace || ["]", "}", ",", "#"].contains(self)
    }
}
