public import FoundationEssentials

/// The files of `Templates/` and `Resources/`, and `docs/openapi.json`, as of the program's build.
///
/// Keys are paths below the package, such as `Templates/dashboard.mustache`. The binary contains the files, so that it
/// can be copied to another machine and run there on its own.
public enum Assets {
    /// The content of each file by its path, decoded once.
    public static let files: [String: Data] = EmbeddedFiles.base64.compactMapValues { Data(base64Encoded: $0) }

    /// Returns the files in one folder, keyed by their path below it.
    /// - Parameter folder: Either `"Templates"` or `"Resources"`.
    public static func files(in folder: String) -> [String: Data] {
        var found: [String: Data] = [:]
        for (path, content) in files where path.hasPrefix(folder + "/") {
            found[String(path.dropFirst(folder.count + 1))] = content
        }
        return found
    }
}
