/// One thing that is wrong with the configuration.
package struct ConfigProblem: Equatable, Sendable, CustomStringConvertible {
    /// The file as the user knows it; nil: the problem is in the command line.
    var file: String?
    /// Where in the file, if that is known.
    var position: TextPosition?
    /// The key (`camera.fps`) or the option (`--port`) that is wrong; nil: the file as a whole.
    package var key: String?
    /// What is wrong and what is wanted, without a newline.
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
    /// The text without what may be a token that stands in the wrong place, such as one without its quotation marks:
    /// problems are logged, and shown to everyone who sees readings.
    fileprivate var withoutSecrets: String {
        var shown: [UInt8] = []
        var word: [UInt8] = []
        func flush() {
            shown += word.count < Token.shortest ? word : Array("(hidden)".utf8)
            word = []
        }
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                word.append(byte)
            default:
                flush()
                shown.append(byte)
            }
        }
        flush()
        return String(decoding: shown, as: UTF8.self)
    }
}
