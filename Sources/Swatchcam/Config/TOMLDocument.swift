import TOMLKit

/// A TOML text that was parsed: what it says and where. The only place that knows the parser.
///
/// The library is used for syntax alone. Its decoder traps on numbers that do not fit and calls a wrong type a missing
/// key; and it hands text to C strings, so that a NUL would silently end it. What it cannot bear is refused before.
struct TOMLDocument: Sendable {
    var root: [String: ConfigValue]
    var positions: TOMLPositions

    /// Brackets within brackets, and parts of a dotted key, beyond which no configuration goes. The parser recurses
    /// once for each, without a limit for dotted keys: 100,000 of them overflow the stack.
    private static let depthLimit = 16

    /// - Throws: the first syntax error; after it, the rest of the text has no certain meaning.
    init(parsing text: String, file: String) throws(ConfigError) {
        let tokens = TOMLLexer.tokens(of: text)
        if let (position, message) = Self.unbearable(text, tokens) {
            throw ConfigError(ConfigProblem(file: file, position: position, message: message))
        }
        do {
            root = Self.values(of: try TOMLTable(string: text))
            positions = TOMLPositions(tokens)
        } catch let error as TOMLParseError {
            throw ConfigError(Self.problem(error, tokens, file: file))
        } catch {
            throw ConfigError(ConfigProblem(file: file, message: "not valid TOML: \("\(error)".escaped(limit: 200))"))
        }
    }

    private static func unbearable(_ text: String, _ tokens: [TOMLToken]) -> (TextPosition, String)? {
        if let index = text.utf8.firstIndex(of: 0) {
            return (text.position(of: index), "there is a NUL byte here; this is not a text file, or a damaged one")
        }
        var brackets = 0
        var dots = 0
        for token in tokens {
            switch token.kind {
            case .string(let text) where text.unicodeScalars.contains("\0"):
                return (token.position, "a string here has a NUL character (\\u0000) in it; no value may")
            case .mark("["), .mark("{"):
                brackets += 1
                dots = 0
            case .mark("]"), .mark("}"):
                brackets = max(brackets - 1, 0)
                dots = 0
            case .mark("."): dots += 1
            case .mark, .newline: dots = 0
            case .bare, .string: break
            }
            if max(brackets, dots) > depthLimit {
                return (token.position, "nested more than \(depthLimit) levels deep")
            }
        }
        return nil
    }

    private static func problem(_ error: TOMLParseError, _ tokens: [TOMLToken], file: String) -> ConfigProblem {
        let begin = error.source.begin
        let position = begin.line > 0 && begin.column > 0 ? TextPosition(line: begin.line, column: begin.column) : nil
        var message = "not valid TOML: \(error.description.escaped(limit: 200))"
        if let word = position.flatMap({ bareWord(at: $0, in: tokens) }) {
            message =
                "not valid TOML: \(word.escaped(limit: String.quotedLimit)) is no value; strings are written in quotes"
        }
        return ConfigProblem(file: file, position: position, message: message)
    }

    /// The word after an equals sign that someone forgot to put in quotes.
    private static func bareWord(at position: TextPosition, in tokens: [TOMLToken]) -> String? {
        guard
            let index = tokens.lastIndex(where: { $0.position <= position && $0.position.line == position.line }),
            index > 0, tokens[index - 1].kind == .mark("="), case .bare(let word) = tokens[index].kind,
            word.first?.isLetter == true || word.first == "/" || word.first == "~"
        else { return nil }
        return word
    }

    private static func values(of table: TOMLTable) -> [String: ConfigValue] {
        var values: [String: ConfigValue] = [:]
        for key in table.keys {
            if let value = table[key] { values[key] = self.value(of: value) }
        }
        return values
    }

    private static func value(of node: any TOMLValueConvertible) -> ConfigValue {
        // Each accessor of the library copies: ask the type once.
        switch node.type {
        case .string: node.string.map(ConfigValue.string) ?? .date
        case .int: node.int.map(ConfigValue.integer) ?? .date
        case .double: node.double.map(ConfigValue.float) ?? .date
        case .bool: node.bool.map(ConfigValue.boolean) ?? .date
        case .array: .list(node.array.map { array in array.map(value) } ?? [])
        case .table: .table(node.table.map(values) ?? [:])
        case .date, .time, .dateTime: .date
        }
    }
}
