import Pixels

/// The values that clients have given to keys of `config.toml`. They outlast a restart.
package struct ClientChanges: Equatable, Codable, Sendable {
    struct Value: Equatable, Codable {
        var value: ConfigValue
        /// The value of `config.toml` at the time of the change. If the file has another value at the next start, it
        /// was edited in between.
        var configured: ConfigValue
    }

    /// The keys that clients may change.
    static let keys = ConfigSchema.keys.filter { $0.setting != nil }

    /// The time of the last change, in ISO 8601.
    package private(set) var since: String
    /// The values by the names of their keys.
    private(set) var values: [String: Value] = [:]

    /// The names are those in the file.
    private enum CodingKeys: String, CodingKey {
        case since
        case values = "settings"
    }

    /// Finds the values in which a config differs from that of the file; nil if there are none.
    init?(from file: Config, to effective: Config, since: String) {
        self.since = since
        // While the program runs, a probe keeps the name of a target that was deleted, because it may come back. A file may
        // name only targets that exist.
        var effective = effective
        let targets = Set(effective.targets.map(\.name))
        for index in effective.probes.indices { effective.probes[index].targets?.removeAll { !targets.contains($0) } }
        for key in Self.keys where key.differs(effective, file) {
            guard let value = key.value(effective), let old = key.value(file) else { continue }
            values[key.name] = Value(value: value, configured: old)
        }
        guard !values.isEmpty else { return nil }
    }

    /// Whether every value is valid for its key.
    package var isValid: Bool {
        values.allSatisfy { name, change in
            guard let key = Self.keys.first(where: { $0.name == name }) else { return false }
            var config = Config()
            return (try? key.set(change.configured, "", &config)) != nil
                && (try? key.set(change.value, "", &config)) != nil
        }
    }

    /// Returns all changes but that of one key; nil if none is left.
    func without(_ key: ConfigKey) -> ClientChanges? {
        var rest = self
        rest.values[key.name] = nil
        return rest.values.isEmpty ? nil : rest
    }

    /// Applies the changes to a config, except for those whose keys were edited in the file since then, and those that
    /// are not valid.
    func apply(over file: Config, to config: inout Config) {
        for key in Self.keys {
            guard let change = values[key.name] else { continue }
            var (before, after) = (file, config)
            do throws(ConfigRejection) {
                try key.set(change.configured, "", &before)
                guard !key.differs(before, file) else { continue }
                try key.set(change.value, "", &after)
            } catch {
                continue
            }
            config = after
        }
    }

    /// The lines for `config.toml` that make the changes permanent.
    package var lines: String {
        var tables: [(name: String, lines: [String])] = []
        for key in Self.keys {
            var config = Config()
            guard let change = values[key.name],
                (try? key.set(change.value, "", &config)) != nil, let value = key.toml(config)
            else { continue }
            if key.isList {
                tables.append((key.name, [String(value.dropLast(value.hasSuffix("\n") ? 1 : 0))]))
                continue
            }
            let table = key.table.joined(separator: ".")
            // TOML allows each table only once.
            if tables.last?.name != table { tables.append((table, ["[\(table)]"])) }
            tables[tables.count - 1].lines.append("\(key.leaf) = \(value)")
        }
        return tables.map { $0.lines.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The names of the keys, for a message.
    package var names: String { values.keys.sorted().enumeration }
}

/// A change of settings by a client. It is validated like `config.toml`, with the same messages.
package struct SettingsChange {
    private var config = Config()
    private var keys: [ConfigKey] = []

    /// Validates a change, given as new values by setting.
    /// - Throws: Every mistake, up to a limit.
    package init(_ values: [String: ConfigValue]) throws(ConfigError) {
        var problems: [ConfigProblem] = []
        for (name, value) in values {
            guard let key = ClientChanges.keys.first(where: { $0.setting == name }) else {
                let names = ClientChanges.keys.compactMap(\.setting).sorted().enumeration
                problems.append(ConfigProblem(key: name, message: "unknown setting; the settings are \(names)"))
                continue
            }
            do throws(ConfigRejection) {
                try key.set(value, "", &config)
            } catch {
                problems += error.parts.map { ConfigProblem(key: name, message: $0.message(for: value, of: key)) }
            }
            keys.append(key)
        }
        let more = problems.count - ConfigSchema.maxProblems
        if more > 0 {
            problems = problems.prefix(ConfigSchema.maxProblems) + [ConfigProblem(message: "and \(more) more")]
        }
        guard problems.isEmpty else { throw ConfigError(problems) }
    }

    package func apply(to config: inout Config) {
        for key in keys { key.copy(self.config, &config) }
    }
}

extension Config {
    /// The values of the settings that clients may change, by setting.
    package var clientSettings: [String: ConfigValue] {
        let values = ClientChanges.keys.map { ($0.setting ?? $0.name, $0.value(self)) }
        return Dictionary(values) { first, _ in first }.compactMapValues(\.self)
    }
}
