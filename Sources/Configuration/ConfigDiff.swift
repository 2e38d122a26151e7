/// What changed in the configuration file from one reading of it to the next, and what that means for what runs.
struct ConfigDiff {
    /// Mistakes that are told one by one; the log and the page are not for more.
    static let mostLines = 3

    /// Keys that hold from now on.
    private(set) var applied: [ConfigKey] = []
    /// Keys that changed in the file, and that an option of the command line stands above.
    private(set) var overridden: [(key: ConfigKey, option: String)] = []
    /// Keys that are not as the program was started with, and only could be at its start.
    private(set) var restart: [ConfigKey] = []

    /// - Parameters:
    ///   - before: What the file said.
    ///   - after: What it says.
    ///   - started: What held when the program started.
    ///   - running: What holds now.
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

    /// `Applied camera.fps, readings.rate.` Nil: nothing of note has happened.
    var summary: String? {
        var sentences: [String] = []
        if !applied.isEmpty { sentences.append("Applied \(applied.map(\.name).joined(separator: ", ")).") }
        sentences += overridden.map { "\($0.key.name) stays as \($0.option) has it." }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// `web.port: restart Swatchcam to use 9000; it still uses 8080.` Nil: nothing waits for a restart.
    func restartMessage(for config: Config, started: Config) -> String? {
        guard !restart.isEmpty else { return nil }
        return restart.map { key in
            if key.isSecret { return "\(key.name): restart Swatchcam to use what it is now." }
            let (new, old) = (key.value(in: config)?.text, key.value(in: started)?.text)
            return "\(key.name): restart Swatchcam to use \(new ?? "the built-in"); "
                + "it still uses \(old ?? "the built-in")."
        }.joined(separator: " ")
    }
}

extension ConfigError {
    /// `a mistake`, `12 mistakes`
    var count: String { problems.count == 1 ? "a mistake" : "\(problems.count) mistakes" }

    /// A line per problem, the first few of them.
    func lines(upTo limit: Int) -> [String] {
        let more = problems.count - limit
        return problems.prefix(limit).map(\.description) + (more > 0 ? ["and \(more) more"] : [])
    }
}
