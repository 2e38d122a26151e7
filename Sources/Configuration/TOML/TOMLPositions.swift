/// The positions of the keys and values of a TOML document.
struct TOMLPositions: Sendable {
    private var keys: [[String]: TextPosition] = [:]
    private var values: [[String]: TextPosition] = [:]
    private var elements: [[String]: [TextPosition]] = [:]
    /// The starts of the values in each table with the heading `[[table]]`.
    private var entries: [[String]: [[String: TextPosition]]] = [:]

    /// Returns the first position of a key, or of the name of a table.
    func key(at path: [String]) -> TextPosition? { keys[path] }

    /// Returns the start of a key's value, or the position of a table's name.
    func value(at path: [String]) -> TextPosition? { values[path] ?? keys[path] }

    /// Returns the start of an element of a list.
    func element(_ index: Int, at path: [String]) -> TextPosition? {
        guard let list = elements[path], list.indices.contains(index) else { return nil }
        return list[index]
    }

    /// Returns the start of a key's value in a table with the heading `[[table]]`.
    func value(of key: String, inElement index: Int, at path: [String]) -> TextPosition? {
        guard let tables = entries[path], tables.indices.contains(index) else { return nil }
        return tables[index][key]
    }

    /// Reads the tokens of a document that the parser has accepted.
    init(_ tokens: [TOMLToken]) {
        var reader = Reader(tokens: tokens[...])
        var table: [String] = []
        while let token = reader.tokens.first {
            switch token.kind {
            case .newline:
                reader.tokens.removeFirst()
            case .mark("["):
                // `[table]` and `[[table]]`
                var brackets = 0
                while reader.take("[") { brackets += 1 }
                let name = reader.tokens.first
                table = reader.key(under: [], into: &self)
                if brackets == 2, let name {
                    elements[table, default: []].append(name.position)
                    entries[table, default: []].append([:])
                }
                reader.skipLine()
            default:
                let path = reader.assignment(under: table, into: &self)
                if let count = entries[table]?.count, path.count > table.count {
                    entries[table]?[count - 1][path[table.count]] = values[path]
                }
                reader.skipLine()
            }
        }
    }

    private struct Reader {
        var tokens: ArraySlice<TOMLToken>

        func peek(_ mark: Unicode.Scalar) -> Bool { tokens.first?.kind == .mark(mark) }

        mutating func take(_ mark: Unicode.Scalar) -> Bool {
            guard peek(mark) else { return false }
            tokens.removeFirst()
            return true
        }

        mutating func skipLine() {
            while let token = tokens.first, token.kind != .newline { tokens.removeFirst() }
        }

        mutating func skipNewlines() {
            while tokens.first?.kind == .newline { tokens.removeFirst() }
        }

        /// Reads a path such as `a."b".c`, and records the position of each part.
        mutating func key(under table: [String], into positions: inout TOMLPositions) -> [String] {
            var path = table
            repeat {
                guard let token = tokens.first else { break }
                switch token.kind {
                case .bare(let name), .string(let name): path.append(name)
                default: return path
                }
                tokens.removeFirst()
                if positions.keys[path] == nil { positions.keys[path] = token.position }
            } while take(".")
            return path
        }

        /// Reads `key = value`.
        /// - Returns: The path of the key.
        @discardableResult
        mutating func assignment(under table: [String], into positions: inout TOMLPositions) -> [String] {
            let path = key(under: table, into: &positions)
            guard take("="), let first = tokens.first else { return path }
            positions.values[path] = first.position
            value(of: path, into: &positions)
            return path
        }

        private mutating func value(of path: [String], into positions: inout TOMLPositions) {
            if take("{") {
                skipNewlines()
                while !tokens.isEmpty, !take("}") {
                    let rest = tokens.count
                    assignment(under: path, into: &positions)
                    _ = take(",")
                    skipNewlines()
                    // The token was not understood. It is skipped, because the loop would not end otherwise.
                    if tokens.count == rest { tokens.removeFirst() }
                }
            } else if take("[") {
                var list: [TextPosition] = []
                skipNewlines()
                while let first = tokens.first, !take("]") {
                    list.append(first.position)
                    skipElement()
                    _ = take(",")
                    skipNewlines()
                }
                positions.elements[path] = list
            } else {
                // A value such as `1.5` has three tokens.
                while let token = tokens.first {
                    if token.kind == .newline || [.mark(","), .mark("}"), .mark("]")].contains(token.kind) { break }
                    tokens.removeFirst()
                }
            }
        }

        /// Skips an element of a list, with everything nested in it.
        private mutating func skipElement() {
            var depth = 0
            while let token = tokens.first {
                switch token.kind {
                case .mark("["), .mark("{"): depth += 1
                case .mark("]") where depth == 0, .mark(",") where depth == 0: return
                case .mark("]"), .mark("}"): depth -= 1
                default: break
                }
                tokens.removeFirst()
            }
        }
    }
}
