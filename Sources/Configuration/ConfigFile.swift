import FoundationEssentials
import Glibc
import Inotify
import Untrusted

/// Finds and loads `config.toml`.
package enum ConfigFile {
    /// Returns the file to load: `--config`, or else the first that exists of `./config.toml`,
    /// `$XDG_CONFIG_HOME/swatchcam/config.toml` and `/etc/swatchcam/config.toml`.
    ///
    /// A file that exists but cannot be used counts as found, so that it is reported and not skipped.
    /// - Returns: nil if there is none, so that the defaults apply. The path in `--config` is returned even if there is
    ///   no such file.
    static func find(
        explicit: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        currentDirectory: String = ".",
        systemDirectory: String = "/etc"
    ) -> String? {
        if let explicit { return explicit }
        return candidates(
            environment: environment, currentDirectory: currentDirectory, systemDirectory: systemDirectory
        ).first(where: exists)
    }

    /// Returns the places that are searched without `--config`, in order.
    package static func candidates(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        currentDirectory: String = ".",
        systemDirectory: String = "/etc"
    ) -> [String] {
        let local = currentDirectory == "." ? "config.toml" : currentDirectory + "/config.toml"
        let user = userDirectory(environment).map { $0 + "/swatchcam/config.toml" }
        return [local, user, systemDirectory + "/swatchcam/config.toml"].compactMap(\.self)
    }

    /// Loads a file: returns a valid config or throws every problem.
    static func load(path: String) throws(ConfigError) -> Config {
        try config(in: try text(path: path, file: name(of: path)), path: path)
    }

    /// Returns the config in the text of a file.
    static func config(in text: String, path: String) throws(ConfigError) -> Config {
        try config(in: try TOMLDocument(parsing: text, file: name(of: path)), path: path)
    }

    /// Returns the config in a parsed file.
    static func config(in document: TOMLDocument, path: String) throws(ConfigError) -> Config {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return try ConfigSchema.decode(document, file: name(of: path), folder: folder)
    }

    /// Returns the name of a file in messages.
    package static func name(of path: String) -> String {
        (path.hasPrefix("./") ? String(path.dropFirst(2)) : path).sanitized()
    }

    /// Returns the user's configuration folder. An empty or relative `XDG_CONFIG_HOME` is ignored (XDG Base Directory
    /// Specification).
    private static func userDirectory(_ environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") { return directory }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
    }

    /// Whether every user of this machine may read a file.
    package static func isReadableByAll(_ path: String) -> Bool {
        FileStatus(path, followsLinks: true).isReadableByAll
    }

    static func exists(_ path: String) -> Bool {
        do {
            // Links are not followed: a broken link counts as found, so that it is reported.
            _ = try FileManager.default.attributesOfItem(atPath: path)
            return true
        } catch {
            return ![.ENOENT, .ENOTDIR].contains(error.posixCode)
        }
    }
}
