extension ConfigSchema {
    /// The shipped `config.toml`: every key with its default and what there is to know about it.
    static var document: String {
        let introduction = """
            # Swatchcam's configuration. Every key may be left out; the values here are the defaults.
            # It is looked for in: --config FILE, ./config.toml, $XDG_CONFIG_HOME/swatchcam/config.toml
            # (~/.config without that variable), /etc/swatchcam/config.toml. The first one found counts, alone.
            # `swatchcam check` names every mistake with its line. While Swatchcam runs, what is edited here holds when the
            # file is saved; the keys of [web] wait for a restart.

            """
        return introduction + tables.map(section).joined()
    }

    private static func section(_ table: [String]) -> String {
        let entries = keys.filter { $0.table == table }.map(entry)
        return "\n[\(table.joined(separator: "."))]\n" + entries.joined(separator: "\n")
    }

    /// The sentence that ends what there is to know about a key.
    static func facts(_ key: ConfigKey) -> String {
        "Default \(key.defaultValue ?? (key.isTable || key.isSecret ? "none" : "is the built-in")); \(key.range)."
    }

    private static func entry(_ key: ConfigKey) -> String {
        let assignment =
            if let value = key.defaultValue {
                "\(key.leaf) = \(value)"
            } else if key.isTable {
                "#[\(key.name)]\n#\(key.example ?? "")"
            } else {
                "#\(key.leaf) = \(key.example ?? "")"
            }
        return (key.documentation + [facts(key)]).map { "# \($0)\n" }.joined() + assignment + "\n"
    }
}
