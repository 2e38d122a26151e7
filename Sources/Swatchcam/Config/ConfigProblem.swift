/// One thing that is wrong with the configuration.
struct ConfigProblem: Equatable, Sendable, CustomStringConvertible {
    /// The file as the user knows it; nil: the problem is in the command line.
    var file: String?
    /// Where in the file, if that is known.
    var position: TextPosition?
    /// The key (`camera.fps`) or the option (`--port`) that is wrong; nil: the file as a whole.
    var key: String?
    /// What is wrong and what is wanted, without a newline.
    var message: String

    /// One line: `config.toml:12:9: camera.fps: 900 is out of range 1...240`.
    var description: String {
        let place = file.map { file in
            ([file.escaped()] + (position.map { ["\($0.line)", "\($0.column)"] } ?? [])).joined(separator: ":")
        }
        return [place, key, message].compactMap(\.self).joined(separator: ": ")
    }
}
