/// A key of `config.toml`, described once: reading, checking and documenting it all come from here.
struct ConfigKey: Sendable {
    /// The table and the key in it: `["camera", "width"]`.
    let path: [String]
    /// What it is, for a person; a line each.
    let documentation: [String]
    /// Ends the sentence "... is wanted".
    let wanted: String
    /// The allowed values and their unit.
    let range: String
    /// The default as TOML; nil: the default is to leave the key out.
    let defaultValue: String?
    /// In place of the default where that is to leave the key out.
    let example: String?
    /// Whether it is a table whose keys are anybody's guess.
    let isTable: Bool
    /// Whether no change takes effect before the next start.
    let needsRestart: Bool
    /// Whether this change does not, though others do: from a running configuration to an edited one.
    let waitsForRestart: @Sendable (_ running: Config, _ edited: Config) -> Bool
    /// Whether nobody is told what it is.
    let isSecret: Bool

    private let set: @Sendable (ConfigValue, String, inout Config) throws(ConfigRejection) -> Void
    private let parse: @Sendable (String) -> ConfigValue
    private let isEqual: @Sendable (Config, Config) -> Bool
    private let take: @Sendable (Config, inout Config) -> Void
    private let get: @Sendable (Config) -> ConfigValue?

    init<Value: Equatable & ConfigRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Config, Value> & Sendable, _ kind: ConfigCodec<Value>,
        unit: String? = nil, example: String? = nil, needsRestart: Bool = false,
        waitsForRestart: @escaping @Sendable (_ running: Config, _ edited: Config) -> Bool = { _, _ in false },
        _ documentation: String...
    ) {
        path = name.split(separator: ".").map(String.init)
        self.documentation = documentation
        wanted = kind.wanted
        range = [kind.range, unit].compactMap(\.self).joined(separator: " ")
        defaultValue = kind.encode(Config()[keyPath: property])
        self.example = example
        isTable = Value.self == [String: ConfigValue].self
        self.needsRestart = needsRestart
        self.waitsForRestart = waitsForRestart
        isSecret = Value.self == Token?.self
        set = { value, folder, config throws(ConfigRejection) in
            config[keyPath: property] = try kind.decode(value, folder)
        }
        parse = kind.parse
        isEqual = { $0[keyPath: property] == $1[keyPath: property] }
        take = { $1[keyPath: property] = $0[keyPath: property] }
        get = { $0[keyPath: property].configValue }
    }

    /// `camera.width`
    var name: String { path.joined(separator: ".") }
    /// `camera`
    var table: [String] { path.dropLast() }
    /// `width`
    var leaf: String { path.last ?? "" }

    /// Whether two configs say different things about this key.
    func differs(_ one: Config, _ other: Config) -> Bool { !isEqual(one, other) }

    /// Makes a config say what another one says about this key.
    func copy(from source: Config, to config: inout Config) { take(source, &config) }

    /// What a config says; nil: the key is left out.
    func value(in config: Config) -> ConfigValue? { get(config) }

    /// Puts a value from a file into a config. Relative paths are relative to the folder.
    func apply(_ value: ConfigValue, folder: String, to config: inout Config) throws(ConfigRejection) {
        try set(value, folder, &config)
    }

    /// Puts an option of the command line into a config. Relative paths are relative to the current folder.
    func apply(option text: String, to config: inout Config) throws(ConfigRejection) {
        do {
            try set(parse(text), ".", &config)
        } catch .wrongType {
            throw .refused("\(text.quoted()) is not \(wanted)")
        }
    }
}
