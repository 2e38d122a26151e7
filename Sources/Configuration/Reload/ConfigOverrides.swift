/// Command-line options that override keys of the file.
package struct ConfigOverrides: Equatable, Sendable {
    var device: String?
    var address: String?
    /// `--port`. 0, which is not allowed in a file, selects any free port.
    var port: String?
    var logLevel: String?

    package init(device: String? = nil, address: String? = nil, port: String? = nil, logLevel: String? = nil) {
        self.device = device
        self.address = address
        self.port = port
        self.logLevel = logLevel
    }

    private var options: [(option: String, key: String, text: String?)] {
        [
            ("--device", "camera.device", device), ("--address", "web.address", address),
            ("--port", "web.port", port), ("--log-level", "log.level", logLevel),
        ]
    }

    func option(over key: ConfigKey) -> String? {
        options.first { $0.key == key.name && $0.text != nil }?.option
    }

    /// Applies the options to a config, or throws every problem with them.
    func apply(to config: Config) throws(ConfigError) -> Config {
        var result = config
        var problems: [ConfigProblem] = []
        for case (let option, let name, let text?) in options {
            if name == "web.port", text == "0" {
                result.web.port = 0
                continue
            }
            guard let key = ConfigSchema.keys.first(where: { $0.name == name }) else { continue }
            do {
                try key.apply(option: text, to: &result)
            } catch {
                problems.append(ConfigProblem(key: option, message: error.message))
            }
        }
        if problems.isEmpty, address != nil, let problem = result.web.accessProblem {
            problems.append(ConfigProblem(key: "--address", message: problem.message))
        }
        guard problems.isEmpty else { throw ConfigError(problems) }
        return result
    }
}

extension ConfigRejection {
    /// The sentence, or one line for each; that about a wrong type is for an option.
    package var message: String {
        switch self {
        case .wrongType: "the option does not accept this value"
        case .refused(let message), .element(_, _, let message), .entry(_, let message): message
        case .several(let parts): parts.map(\.message).joined(separator: "\n")
        }
    }
}
