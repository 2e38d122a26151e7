import FoundationEssentials
import Glibc

/// A build tool, `AssetEmbedder [--esbuild PROGRAM] ROOT OUTPUT FILE...`, that writes a Swift source file with the
/// content of each FILE, keyed by its path below ROOT.
///
/// With esbuild it adds the scripts of the pages as bundles, keyed `Bundles/NAME`. Each file is one string literal in
/// Base64. The compiler reads megabytes of such literals at no cost, whereas array literals take minutes.
@main
struct AssetEmbedder {
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        var esbuild: String?
        if arguments.first == "--esbuild" {
            esbuild = arguments.dropFirst().first
            arguments = arguments.dropFirst(2)
        }
        guard let folder = arguments.popFirst(), let output = arguments.popFirst() else {
            print("usage: AssetEmbedder [--esbuild PROGRAM] ROOT OUTPUT FILE...")
            exit(64)
        }
        do {
            let root = folder.hasSuffix("/") ? folder : folder + "/"
            try embed(Array(arguments), below: root, in: output, esbuild: esbuild)
        } catch {
            print("AssetEmbedder: \(error)")
            exit(1)
        }
    }

    private static func embed(_ paths: [String], below root: String, in output: String, esbuild: String?) throws {
        var files = paths.map { path in
            (name: path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path, path: path)
        }
        if let esbuild {
            let modules = files.filter { $0.name.hasPrefix("Resources/") && $0.name.hasSuffix(".js") }
            let bundles = try Bundler(esbuild: esbuild).bundle(modules, in: output + ".scripts")
            files += bundles.map { (name: "Bundles/\($0.name)", path: $0.path) }
        }
        var source = "enum EmbeddedFiles {\n    static let base64: [String: String] = [\n"
        for file in files {
            let content = try Data(contentsOf: URL(filePath: file.path))
            source += "        \(String(reflecting: file.name)): \"\(content.base64EncodedString())\",\n"
        }
        if files.isEmpty { source += "        :\n" }
        source += "    ]\n}\n"
        try Data(source.utf8).write(to: URL(filePath: output), options: .atomic)
    }
}
