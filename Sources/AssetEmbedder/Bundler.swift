import FoundationEssentials
import Glibc

/// A bundler, which turns the many modules of the pages into a few files with esbuild to save browsers requests.
///
/// Each script becomes one file with everything that it imports. A module that it loads later becomes a second file,
/// and the code that both need a third, `chunk.js`. All are in the folder of the script. Names in the code are kept, so
/// that an error message says where it comes from; comments and spaces are removed. None of esbuild's own code gets into
/// the bundles.
///
/// `Assets.resources` has the bundles in place of the modules. If `web.resources` names a folder, the pages use the
/// single modules, each of which a file in the folder may replace; `isBundled` tells the templates which modules to
/// preload. A build without esbuild embeds the modules only.
struct Bundler {
    /// The reason why the scripts could not be bundled.
    enum Failure: Error, CustomStringConvertible {
        case notStarted(program: String, errno: Int32)
        case failed(script: String)

        var description: String {
            switch self {
            case .notStarted(let program, let errno): "\(program) cannot be started (errno \(errno))"
            case .failed(let script): "esbuild cannot bundle \(script).js; its message is above"
            }
        }
    }

    /// The scripts that a page or a worker starts with, each in a folder of `Resources/`.
    static let scripts = [
        "absorbance/absorbance", "calibration/calibration", "comparison/comparison", "dashboard/dashboard",
        "fleet/fleet", "kiosk/kiosk", "lib/appearance", "lib/picture-worker",
    ]

    let esbuild: String

    /// Bundles all scripts. The same modules and version of esbuild produce the same bytes in every folder.
    /// - Parameters:
    ///   - modules: The modules of `Resources/`, by their paths below the package.
    ///   - folder: A folder for the bundles alone. Its contents are deleted first.
    /// - Returns: The bundles in the order of their names, which are paths below `Resources/`.
    /// - Throws: `Failure` if esbuild fails, or the error of a file.
    func bundle(
        _ modules: [(name: String, path: String)], in folder: String
    ) throws -> [(name: String, path: String)] {
        let (source, output) = ("\(folder)/modules", "\(folder)/bundles")
        let files = FileManager.default
        if files.fileExists(atPath: folder) { try files.removeItem(atPath: folder) }
        for module in modules {
            let copy = URL(filePath: "\(source)/\(module.name)")
            try files.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(atPath: module.path, toPath: copy.path)
        }
        // Without these files, esbuild would look for them in all folders above.
        try Data(#"{"type": "module"}"#.utf8).write(to: URL(filePath: "\(source)/package.json"))
        try Data("{}".utf8).write(to: URL(filePath: "\(source)/tsconfig.json"))
        for script in Self.scripts {
            let options = [
                "--bundle", "--splitting", "--format=esm", "--target=es2022", "--charset=utf8", "--minify-whitespace",
                "--minify-syntax", "--outbase=\(source)/Resources", "--outdir=\(output)",
                "--chunk-names=\(script.prefix { $0 != "/" })/[name]", "--log-level=warning",
            ]
            guard try run(["\(source)/Resources/\(script).js"] + options) else { throw Failure.failed(script: script) }
        }
        return try files.subpathsOfDirectory(atPath: output).sorted().filter { $0.hasSuffix(".js") }
            .map { ($0, "\(output)/\($0)") }
    }

    /// Runs esbuild with an empty environment, because variables could change the result.
    /// - Returns: Whether it succeeded.
    private func run(_ arguments: [String]) throws(Failure) -> Bool {
        let texts = unsafe ([esbuild] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe texts.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let problem = unsafe posix_spawn(&process, esbuild, nil, nil, texts, [nil])
        guard problem == 0 else { throw .notStarted(program: esbuild, errno: problem) }
        var status: Int32 = -1
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status == 0
    }
}
