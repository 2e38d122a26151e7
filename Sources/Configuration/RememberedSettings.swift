/// The settings that clients have changed, which replace those of `config.toml`, even after a restart.
package struct RememberedSettings: Equatable, Codable, Sendable {
    /// A setting, and the value that it replaces.
    private struct Setting: Equatable, Codable {
        var value: ConfigValue
        /// The value of `config.toml` at the time of the change. If the file now has another value, it was edited since
        /// then.
        var configured: ConfigValue
    }

    /// The time of the last change, in ISO 8601.
    package var since: String
    /// The settings by the names of their keys.
    private var settings: [String: Setting] = [:]

    /// The keys that clients may change.
    private static let keys = ConfigSchema.keys.filter { ["picture.effect", "readings.region"].contains($0.name) }

    /// Finds the settings in which the config in effect differs from that of the file; nil if there are none.
    package init?(of running: Config, over configured: Config, since: String) {
        self.since = since
        for key in Self.keys where key.differs(running, configured) {
            guard let value = key.value(in: running), let old = key.value(in: configured) else { continue }
            settings[key.name] = Setting(value: value, configured: old)
        }
        guard !settings.isEmpty else { return nil }
    }

    /// Whether these are the same settings, whenever they were changed.
    package func hasSameSettings(as other: RememberedSettings) -> Bool { settings == other.settings }

    /// Applies the settings to a config, except for those whose keys were edited in the file since then, and those that
    /// are not valid.
    package func apply(over configured: Config, to config: inout Config) {
        for key in Self.keys {
            guard let setting = settings[key.name] else { continue }
            var (before, after) = (configured, config)
            do throws(ConfigRejection) {
                try key.apply(setting.configured, folder: "", to: &before)
                guard !key.differs(before, configured) else { continue }
                try key.apply(setting.value, folder: "", to: &after)
            } catch {
                continue
            }
            config = after
        }
    }

    /// Resets the keys that clients may change to the values of the file.
    package static func forget(in config: inout Config, over configured: Config) {
        for key in keys { key.copy(from: configured, to: &config) }
    }

    /// The lines for `config.toml` that make the settings permanent.
    package var lines: String {
        Self.keys.compactMap { key in
            var config = Config()
            guard let setting = settings[key.name],
                (try? key.apply(setting.value, folder: "", to: &config)) != nil, let value = key.toml(in: config)
            else { return nil }
            return "[\(key.table.joined(separator: "."))]\n\(key.leaf) = \(value)\n"
        }.joined(separator: "\n")
    }

    /// The names of the keys, for a message.
    package var names: String { settings.keys.sorted().joined(separator: " and ") }
}
