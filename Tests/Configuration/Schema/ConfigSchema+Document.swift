@testable import Configuration

extension ConfigSchema {
    /// The shipped `config.toml`: every key with its description and its default.
    static var document: String {
        let introduction = """
            # Swatchcam's configuration. Every key may be omitted; the values here are the defaults.
            # Swatchcam uses the file that --config names, or else only the first of these that exists: ./config.toml,
            # $XDG_CONFIG_HOME/swatchcam/config.toml (~/.config if that is not set), /etc/swatchcam/config.toml.
            # `swatchcam check` reports every mistake with its line. While Swatchcam runs, edits take effect as soon as the
            # file is saved; most keys of [web] wait for a restart.

            """
        return introduction + tables.map(section).joined()
    }

    private static func section(_ table: [String]) -> String {
        if let key = key(at: table) { return "\n" + entry(key) }
        let entries = keys.filter { $0.table == table }.map(entry)
        return "\n[\(table.joined(separator: "."))]\n" + entries.joined(separator: "\n")
    }

    /// Returns the last sentence of a key's description: its default and the allowed values.
    static func facts(_ key: ConfigKey) -> String {
        "Default: \(key.defaultValue ?? key.textWithoutDefault); \(key.allowedValues)."
    }

    private static func entry(_ key: ConfigKey) -> String {
        let assignment =
            if let value = key.defaultValue {
                "\(key.leaf) = \(value)"
            } else if key.isList {
                "[[\(key.name)]]\n\(key.example ?? "")".split(separator: "\n").map { "#\($0)" }.joined(separator: "\n")
            } else if key.isTable {
                "#[\(key.name)]\n#\(key.example ?? "")"
            } else {
                "#\(key.leaf) = \(key.example ?? "")"
            }
        return (key.documentation + [facts(key)]).map { "# \($0)\n" }.joined() + assignment + "\n"
    }
}
