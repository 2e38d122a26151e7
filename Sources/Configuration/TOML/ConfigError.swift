import Untrusted

/// One problem of a configuration.
package struct ConfigProblem: Equatable, Sendable, CustomStringConvertible {
    /// The path of the file, as the user wrote it; nil if the problem is in the command line.
    var file: String?
    /// The position in the file, if known.
    var position: TextPosition?
    /// The key (`camera.fps`) or the option (`--port`); nil if the problem concerns the whole file.
    package var key: String?
    /// A description of the problem and of what is expected, on one line.
    var message: String

    /// One line: `config.toml:12:9: camera.fps: 900 is out of range 1...240`.
    package var description: String {
        let place = file.map { file in
            ([file.escaped()] + (position.map { ["\($0.line)", "\($0.column)"] } ?? [])).joined(separator: ":")
        }
        return [place, key?.withoutSecrets, message.withoutSecrets].compactMap(\.self).joined(separator: ": ")
    }
}

extension String {
    /// The text without words that may be a misplaced token, such as one without quotation marks.
    ///
    /// Problems are logged, and shown to everyone who may see readings.
    fileprivate var withoutSecrets: String {
        // By scalars, because a combining mark would take the last character out of a word.
        replacing(/[A-Za-z0-9_\-]+/.matchingSemantics(.unicodeScalar)) { word in
            word.output.utf8.count < Token.minLength ? word.output : "(hidden)"
        }
    }
}

/// All problems of a configuration.
package struct ConfigError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problems, at least one, in the order of the file. Those without a position come last.
    package let problems: [ConfigProblem]

    init(_ problems: [ConfigProblem]) {
        self.problems = problems.sorted { a, b in
            switch (a.position, b.position) {
            case (let a?, let b?) where a != b: a < b
            case (_?, nil): true
            case (nil, _?): false
            default: (a.key ?? "", a.message) < (b.key ?? "", b.message)
            }
        }
    }

    init(_ problem: ConfigProblem) {
        problems = [problem]
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ConfigError {
    /// The number of problems in words: `a mistake`, `12 mistakes`.
    var count: String { problems.count == 1 ? "a mistake" : "\(problems.count) mistakes" }

    /// Returns one line for each of the first problems, and one for the rest.
    func lines(upTo limit: Int) -> [String] {
        let more = problems.count - limit
        return problems.prefix(limit).map(\.description) + (more > 0 ? ["and \(more) more"] : [])
    }
}
