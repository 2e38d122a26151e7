import ArgumentParser
import Assets
import FoundationEssentials
import Untrusted

/// The command `swatchcam assets`, which writes the files of the pages to a folder, where they can be edited.
struct AssetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assets",
        abstract: "Write the templates, styles and scripts of the pages to a folder.",
        discussion: """
            Edit them there. The lines for config.toml that make the pages use them are printed. Nothing that exists is \
            overwritten.
            """)

    /// The names of the two folders. Their keys in the table `[web]` have the same names.
    private static let folders = ["Templates", "Resources"]

    @Option(
        help: ArgumentHelp(
            "The folder in which the folders Templates and Resources are made.", valueName: "folder"))
    var output: String

    func run() throws { try run(on: .standard) }

    func run(on console: Console) throws(Failure) {
        let parent = URL(filePath: output, directoryHint: .isDirectory).absoluteURL
        // This is checked before anything is written.
        for name in Self.folders {
            let path = parent.appending(path: name).path
            guard !FileManager.default.fileExists(atPath: path) else {
                throw Failure(status: .inputOutput, message: "\(path) exists. Name another folder, or move it away.")
            }
        }
        var lines = ["[web]"]
        for name in Self.folders {
            let folder = parent.appending(path: name, directoryHint: .isDirectory)
            for (file, content) in Assets.files(in: name) {
                try Self.write(content, to: folder.appending(path: file))
            }
            lines.append("\(name.lowercased()) = \(parent.appending(path: name).path.toml)")
        }
        try console.write(lines.joined(separator: "\n"))
    }

    private static func write(_ content: Data, to file: URL) throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file, options: .withoutOverwriting)
        } catch {
            throw Failure(status: .inputOutput, message: "cannot write \(file.path): \(error.reason)")
        }
    }
}
