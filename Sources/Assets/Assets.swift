public import Foundation

/// The files of `Templates/` and `Resources/`, and `docs/openapi.json`, as they were when the program was built.
///
/// Keys are paths below the package, such as `Templates/dashboard.mustache`. The files travel inside the binary, so that
/// one file can be copied to another machine and run there.
public enum Assets {
    /// Content by path, decoded once.
    public static let files: [String: Data] = EmbeddedFiles.base64.compactMapValues { Data(base64Encoded: $0) }

    /// The files below one folder, keyed by their path below it.
    /// - Parameter folder: `"Templates"` or `"Resources"`.
    public static func files(in folder: String) -> [String: Data] {
        var found: [String: Data] = [:]
        for (path, content) in files where path.hasPrefix(folder + "/") {
            found[String(path.dropFirst(folder.count + 1))] = content
        }
        return found
    }
}
