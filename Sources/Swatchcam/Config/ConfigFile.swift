import Foundation

/// Finding and loading `config.toml`.
enum ConfigFile {
    /// The file to load: `--config`, else the first that is there of `./config.toml`,
    /// `$XDG_CONFIG_HOME/swatchcam/config.toml` and `/etc/swatchcam/config.toml`.
    ///
    /// A file that is there but cannot be used counts as found, so that it is complained about, not passed over.
    /// - Returns: nil: there is none, the defaults hold. What `--config` names is returned even if it is not there.
    static func find(
        explicit: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        currentDirectory: String = ".",
        systemDirectory: String = "/etc"
    ) -> String? {
        if let explicit { return explicit }
        let local = currentDirectory == "." ? "config.toml" : currentDirectory + "/config.toml"
        let user = userDirectory(environment).map { $0 + "/swatchcam/config.toml" }
        return [local, user, systemDirectory + "/swatchcam/config.toml"].compactMap(\.self).first(where: isThere)
    }

    /// Loads a file whole: a config in which everything is good, or every problem there is.
    static func load(path: String) throws(ConfigError) -> Config {
        let file = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        let document = try TOMLDocument(parsing: try text(path: path, file: file), file: file)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return try ConfigSchema.decode(document, file: file, folder: folder)
    }

    /// The XDG base directory specification: an empty or a relative `XDG_CONFIG_HOME` is as none.
    private static func userDirectory(_ environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") { return directory }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
    }

    private static func isThere(_ path: String) -> Bool {
        do {
            // Does not follow links: one that leads nowhere is a mistake to tell, too.
            _ = try FileManager.default.attributesOfItem(atPath: path)
            return true
        } catch {
            return ![.ENOENT, .ENOTDIR].contains(error.posixCode)
        }
    }
}
