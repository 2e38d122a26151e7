/// Finds what the parser cannot bear.
///
/// The parser (toml++ 3.4.0 in TOMLKit 0.6.0) is good at valid TOML and at most errors, but some texts end the process:
/// it asserts, in release builds too, where it should refuse (`[$]`, `[1, }`, `1979-05-27 0`), and recurses without
/// a limit for dotted keys (100,000 parts overflow the stack). TOMLKit moreover passes C strings, so that a NUL silently
/// ends the text or a value. No good configuration has any of these: they are refused before the parser sees them.
struct TOMLGuard {
    /// Brackets within brackets, and parts of a dotted key, beyond which no configuration goes.
    static let depthLimit = 16

    private let scalars: [Unicode.Scalar]
    private let tokens: [TOMLToken]

    /// The first thing that the parser must not see.
    static func firstHazard(in text: String, _ tokens: [TOMLToken]) -> (token: TOMLToken, message: String)? {
        TOMLGuard(scalars: Array(text.unicodeScalars), tokens: tokens).firstHazard()
    }

    private func firstHazard() -> (token: TOMLToken, message: String)? {
        var brackets: [Unicode.Scalar] = []
        var dots = 0
        var isLineStart = true
        for (index, token) in tokens.enumerated() {
            if isLineStart, brackets.isEmpty, token.kind == .mark("["), !hasName(tokens[(index + 1)...]) {
                return (token, "the name of a table is wanted between these brackets, such as [camera]")
            }
            isLineStart = token.kind == .newline
            if let message = hazard(token) { return (token, message) }
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
        case .bare where isDateWithOneDigit(at: token.offset):
            return "this is no date with a time"
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

    /// `1979-05-27 0`: ten characters like a date, a space, a digit and the end of the value.
    private func isDateWithOneDigit(at offset: Int) -> Bool {
        var run: [Unicode.Scalar] = []
        var index = offset
        while index < scalars.count, run.count <= 10, !scalars[index].endsValue {
            if scalars[index] != "_" { run.append(scalars[index]) }
            index += 1
        }
        guard run.count == 10, run[4] == "-", run[7] == "-", index + 1 < scalars.count, scalars[index] == " ",
            ("0"..."9").contains(scalars[index + 1])
        else { return false }
        return index + 2 >= scalars.count || scalars[index + 2].endsValue
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
