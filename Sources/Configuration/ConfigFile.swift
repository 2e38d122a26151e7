import Foundation
import Untrusted

/// Finding and loading `config.toml`.
package enum ConfigFile {
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
        return candidates(
            environment: environment, currentDirectory: currentDirectory, systemDirectory: systemDirectory
        ).first(where: isThere)
    }

    /// Where a file is looked for that `--config` does not name, the first place first.
    package static func candidates(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        currentDirectory: String = ".",
        systemDirectory: String = "/etc"
    ) -> [String] {
        let local = currentDirectory == "." ? "config.toml" : currentDirectory + "/config.toml"
        let user = userDirectory(environment).map { $0 + "/swatchcam/config.toml" }
        return [local, user, systemDirectory + "/swatchcam/config.toml"].compactMap(\.self)
    }

    /// Loads a file whole: a config in which everything is good, or every problem there is.
    static func load(path: String) throws(ConfigError) -> Config {
        try config(in: try text(path: path, file: name(of: path)), path: path)
    }

    /// What the text of a file says.
    static func config(in text: String, path: String) throws(ConfigError) -> Config {
        try config(in: try TOMLDocument(parsing: text, file: name(of: path)), path: path)
    }

    /// What a file says whose text was parsed.
    static func config(in document: TOMLDocument, path: String) throws(ConfigError) -> Config {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return try ConfigSchema.decode(document, file: name(of: path), folder: folder)
    }

    /// What messages call a file.
    package static func name(of path: String) -> String {
        (path.hasPrefix("./") ? String(path.dropFirst(2)) : path).sanitized()
    }

    /// The XDG base directory specification: an empty or a relative `XDG_CONFIG_HOME` is as none.
    private static func userDirectory(_ environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") { return directory }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
    }

    /// Whether every user of this machine may read a file.
    package static func isReadableByAll(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return ((attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o004 != 0
    }

    static func isThere(_ path: String) -> Bool {
        do {
            // Does not follow links: one that leads nowhere is a mistake to tell, too.
            _ = try FileManager.default.attributesOfItem(atPath: path)
            return true
        } catch {
            return ![.ENOENT, .ENOTDIR].contains(error.posixCode)
        }
    }
}
