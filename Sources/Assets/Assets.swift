public import FoundationEssentials

/// The files of `Templates/` and `Resources/`, and `docs/openapi.json`, as of the program's build.
///
/// Keys are paths below the package, such as `Templates/dashboard.mustache`. The binary contains the files, so that it
/// can be copied to another machine and run there on its own. If the build had esbuild, `Bundles/` contains the scripts
/// of the pages a second time, in fewer files.
public enum Assets {
    /// The content of each file by its path, decoded once.
    public static let files: [String: Data] = EmbeddedFiles.base64.compactMapValues { Data(base64Encoded: $0) }

    /// Whether the scripts of the pages were bundled.
    public static let hasBundles = files.keys.contains { $0.hasPrefix("Bundles/") }

    /// The files that the pages refer to, by name: those of `Resources/`, with bundles in place of the scripts.
    public static let resources: [String: Data] = {
        let modules = files(in: "Resources")
        guard hasBundles else { return modules }
        return modules.filter { !$0.key.hasSuffix(".js") }.merging(files(in: "Bundles")) { $1 }
    }()

    /// Returns the files in one folder, keyed by their path below it.
    /// - Parameter folder: `"Templates"`, `"Resources"` or `"Bundles"`.
    public static func files(in folder: String) -> [String: Data] {
        var found: [String: Data] = [:]
        for (path, content) in files where path.hasPrefix(folder + "/") {
            found[String(path.dropFirst(folder.count + 1))] = content
        }
        return found
    }
}
