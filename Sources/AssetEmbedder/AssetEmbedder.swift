import FoundationEssentials
import Glibc

/// A build tool, `AssetEmbedder ROOT OUTPUT FILE...`, that writes a Swift source with the content of each file, keyed
/// by its path below ROOT.
///
/// Each file is one string literal in Base64. The compiler reads megabytes of it at no cost, whereas array literals
/// take minutes.
@main
struct AssetEmbedder {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: AssetEmbedder ROOT OUTPUT FILE...")
            exit(64)
        }
        let root = arguments[1].hasSuffix("/") ? arguments[1] : arguments[1] + "/"
        var source = "enum EmbeddedFiles {\n    static let base64: [String: String] = [\n"
        for path in arguments.dropFirst(3) {
            let content = try Data(contentsOf: URL(filePath: path))
            let name = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
            source += "        \(String(reflecting: name)): \"\(content.base64EncodedString())\",\n"
        }
        if arguments.count == 3 { source += "        :\n" }
        source += "    ]\n}\n"
        try Data(source.utf8).write(to: URL(filePath: arguments[2]), options: .atomic)
    }
}
