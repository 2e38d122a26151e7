import Foundation

/// The config that holds, and where it is from.
package struct ResolvedConfig: Equatable, Sendable {
    package var config: Config
    /// The file that was loaded; nil: there is none, and the defaults hold.
    package var path: String?
    /// What the file says, the command line left aside.
    var file: Config
    /// The file's text.
    var text: String?

    /// Whether the file says what not everybody should know.
    package var holdsSecrets: Bool { ConfigSchema.keys.contains { $0.isSecret && $0.value(in: file) != nil } }

    /// Finds the file, loads it and puts the command line over it.
    /// - Throws: every problem of both, those of the command line last.
    package init(
        explicit: String?,
        overrides: ConfigOverrides,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        currentDirectory: String = "."
    ) throws(ConfigError) {
        let found = ConfigFile.find(
            explicit: explicit, environment: environment, currentDirectory: currentDirectory)
        var loaded = Config()
        var text: String?
        var problems: [ConfigProblem] = []
        do {
            if let found {
                let content = try ConfigFile.text(path: found, file: ConfigFile.name(of: found))
                loaded = try ConfigFile.config(in: content, path: found)
                text = content
            }
        } catch {
            problems += error.problems
        }
        file = loaded
        do {
            loaded = try overrides.apply(to: loaded)
        } catch {
            problems += error.problems
        }
        guard problems.isEmpty else { throw ConfigError(problems) }
        config = loaded
        path = found
        self.text = text
    }
}
