import TOMLKit
import Untrusted

/// A parsed TOML text with its values and their positions. Only this type uses TOMLKit.
///
/// TOMLKit serves only as the parser: its decoder traps on numbers that do not fit, and reports a wrong type as a
/// missing key. ``TOMLGuard`` first refuses texts that would crash the parser.
struct TOMLDocument: Sendable {
    let root: [String: ConfigValue]
    /// The name of the file in messages.
    let file: String
    private let tokens: [TOMLToken]

    /// Parses a text.
    /// - Throws: The first syntax error. The meaning of what follows it is uncertain.
    init(parsing text: String, file: String) throws(ConfigError) {
        self.file = file
        tokens = TOMLLexer.tokens(of: text)
        if let hazard = TOMLGuard.firstHazard(in: text, tokens) {
            throw ConfigError(Self.problem(hazard.token, hazard.message, text, tokens, file: file))
        }
        do {
            root = Self.values(of: try TOMLTable(string: text))
        } catch let error as TOMLParseError {
            throw ConfigError(Self.problem(error, text, tokens, file: file))
        } catch {
            throw ConfigError(ConfigProblem(file: file, message: "not valid TOML: \("\(error)".escaped(limit: 200))"))
        }
    }

    var positions: TOMLPositions { TOMLPositions(tokens) }

    /// Returns the hazard as a problem, or the syntax error before it, if there is one.
    private static func problem(
        _ hazard: TOMLToken, _ message: String, _ text: String, _ tokens: [TOMLToken], file: String
    ) -> ConfigProblem {
        let before = String(text.unicodeScalars.prefix(hazard.offset))
        do {
            _ = try TOMLTable(string: before)
        } catch let error as TOMLParseError {
            let problem = problem(error, text, tokens, file: file)
            // The text was cut off here, so an error at its end is expected.
            if let position = problem.position, position < hazard.position, !error.description.hasSuffix("end-of-file")
            {
                return problem
            }
        } catch {}
        let word = unquotedWord(at: hazard.position, in: tokens)
        return word.map { unquoted($0, file: file) }
            ?? ConfigProblem(file: file, position: hazard.position, message: "not valid TOML: \(message)")
    }

    private static func unquoted(_ word: (text: String, position: TextPosition), file: String) -> ConfigProblem {
        let text = word.text.escaped(limit: String.maxQuoted)
        return ConfigProblem(
            file: file, position: word.position,
            message: "not valid TOML: \(text) is not a value; write strings in quotes")
    }

    private static func problem(
        _ error: TOMLParseError, _ text: String, _ tokens: [TOMLToken], file: String
    ) -> ConfigProblem {
        let begin = error.source.begin
        // For the end of a text after a newline, the parser reports a column that the line does not have.
        let position =
            begin.line > 0 && begin.column > 0
            ? text.nearest(TextPosition(line: begin.line, column: begin.column)) : nil
        if let position, let word = unquotedWord(at: position, in: tokens) {
            return unquoted(word, file: file)
        }
        // "Error while parsing string: encountered end-of-file"
        let reason = error.description.replacing("Error while parsing ", with: "while parsing ", maxReplacements: 1)
        let message = "not valid TOML, \(reason.escaped(limit: 200))"
        return ConfigProblem(file: file, position: position, message: message)
    }

    /// Returns the value after an equals sign if it lacks its quotes; otherwise nil.
    private static func unquotedWord(
        at position: TextPosition, in tokens: [TOMLToken]
    ) -> (text: String, position: TextPosition)? {
        let line = tokens.filter { $0.position.line == position.line && $0.kind != .newline }
        guard
            let equals = line.firstIndex(where: { $0.kind == .mark("=") }), line.indices.contains(equals + 1),
            position >= line[equals + 1].position, case .bare(let first) = line[equals + 1].kind
        else { return nil }
        var text = ""
        var end = line[equals + 1].position
        for token in line[(equals + 1)...] {
            if token.position != end { text += " " }
            end = token.position
            switch token.kind {
            case .bare(let part):
                text += part
                end.column += part.unicodeScalars.count
            case .mark("."):
                text += "."
                end.column += 1
            default: return nil
            }
        }
        let isAddress = text.split(separator: ".").count == 4 || text.contains("::")
        let isWord = first.first.map { $0.isLetter || "/~".contains($0) } ?? false
        return isAddress || isWord ? (text, line[equals + 1].position) : nil
    }

    private static func values(of table: TOMLTable) -> [String: ConfigValue] {
        Dictionary(table.keys.compactMap { key in table[key].map { (key, value(of: $0)) } }) { first, _ in first }
    }

    private static func value(of node: any TOMLValueConvertible) -> ConfigValue {
        // Each accessor of the library copies the value, so only the right one is called.
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
