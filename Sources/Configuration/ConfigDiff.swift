/// The changes from one version of the configuration file to the next, and their effect on the running program.
struct ConfigDiff {
    /// The greatest number of mistakes that the log and the page list.
    static let maxLines = 3

    /// The keys whose changes take effect now.
    private(set) var applied: [ConfigKey] = []
    /// The keys that changed in the file, but are overridden by a command-line option.
    private(set) var overridden: [(key: ConfigKey, option: String)] = []
    /// The keys whose values take effect only after a restart.
    private(set) var restart: [ConfigKey] = []

    /// Compares two versions of the file.
    /// - Parameters:
    ///   - before: The config of the previous version.
    ///   - after: The config of the current version.
    ///   - started: The config in effect when the program started.
    ///   - running: The config in effect now.
    init(from before: Config, to after: Config, started: Config, running: Config, overrides: ConfigOverrides) {
        for key in ConfigSchema.keys {
            if let option = overrides.option(over: key) {
                if key.differs(before, after) { overridden.append((key, option)) }
            } else if key.needsRestart {
                if key.differs(started, after) { restart.append(key) }
            } else if key.waitsForRestart(running, after) {
                restart.append(key)
            } else if key.differs(before, after) {
                applied.append(key)
            }
        }
    }

    /// A summary such as `Applied camera.fps, readings.rate.`; nil if no change takes effect or is overridden.
    var summary: String? {
        var sentences: [String] = []
        if !applied.isEmpty { sentences.append("Applied \(applied.map(\.name).joined(separator: ", ")).") }
        sentences += overridden.map { "\($0.key.name) keeps the value of \($0.option)." }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Returns a message such as `web.port: restart Swatchcam to use 9000; it still uses 8080.`; nil if no change waits
    /// for a restart.
    func restartMessage(for config: Config, started: Config) -> String? {
        guard !restart.isEmpty else { return nil }
        return restart.map { key in
            if key.isSecret { return "\(key.name): restart Swatchcam to use the new value." }
            let (new, old) = (key.value(in: config)?.text, key.value(in: started)?.text)
            return "\(key.name): restart Swatchcam to use \(new ?? "the built-in files"); "
                + "it still uses \(old ?? "the built-in files")."
        }.joined(separator: " ")
    }
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
