import FoundationEssentials

/// The config in effect, with its source.
package struct ResolvedConfig: Equatable, Sendable {
    package var config: Config
    /// The file that was loaded; nil if there is none, so that the defaults apply.
    package var path: String?
    /// The config of the file, without the command line.
    var fileConfig: Config
    /// The text of the file.
    var text: String?

    /// Whether the file contains a secret.
    package var holdsSecrets: Bool { ConfigSchema.keys.contains { $0.isSecret && $0.value(in: fileConfig) != nil } }

    /// The problem of a folder that this user may not write to, which does not keep the program from starting: it writes
    /// as soon as it can. Nil if there is none.
    package var folderProblem: ConfigError? {
        guard let path, let text, let folder = config.history.folder,
            !FileManager.default.isWritableFile(atPath: folder)
        else { return nil }
        let (key, file) = (["history", "folder"], ConfigFile.name(of: path))
        let positions = try? TOMLDocument(parsing: text, file: file).positions
        return ConfigError(
            ConfigProblem(
                file: file, position: positions?.value(at: key), key: key.joined(separator: "."),
                message: "this user may not write to the folder \(folder.quoted()); check its permissions"))
    }

    /// Finds and loads the file, then applies the command line.
    /// - Throws: Every problem of both, those of the command line last.
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
        fileConfig = loaded
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
