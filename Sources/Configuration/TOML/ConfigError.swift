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
        var result: [UInt8] = []
        var word: [UInt8] = []
        func flush() {
            result += word.count < Token.minLength ? word : Array("(hidden)".utf8)
            word = []
        }
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                word.append(byte)
            default:
                flush()
                result.append(byte)
            }
        }
        flush()
        return String(decoding: result, as: UTF8.self)
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
