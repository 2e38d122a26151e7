import Foundation
import PackagePlugin

/// Embeds every file of `Templates/` and `Resources/`, and the description of the API, in one Swift source.
///
/// Every file is an input, so a build detects edits. The target's folder contains them all, so it also detects new
/// files.
@main
struct EmbedAssets: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let files =
            try ["Templates", "Resources"].flatMap { try self.files(below: root.appending(path: $0)) }
            + [root.appending(path: "docs/openapi.json")]
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of Templates, Resources and docs",
                executable: try context.tool(named: "AssetEmbedder").url,
                arguments: [root.path(percentEncoded: false), output.path(percentEncoded: false)]
                    + files.map { $0.path(percentEncoded: false) },
                inputFiles: files,
                outputFiles: [output])
        ]
    }

    private func files(below folder: URL) throws -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [URL] = []
        for case let url as URL in found ?? .init()
        where try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            // The files for systemd and the kiosk are for the machine, not for browsers.
            let path = url.path
            let isForMachine = ["/Resources/systemd/", "/Resources/kiosk/"].contains { path.contains($0) }
            if !isForMachine, !url.lastPathComponent.hasPrefix(".") { files.append(url) }
        }
        return files.sorted { $0.path < $1.path }
    }
}
