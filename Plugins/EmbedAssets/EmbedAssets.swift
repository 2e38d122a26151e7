import Foundation
import PackagePlugin

/// Embeds every file of `Templates/` and `Resources/`, and the description of the API, in one Swift source file. If
/// esbuild is installed, the scripts of the pages are embedded as bundles, too.
///
/// Every file is an input, so a build detects edits. SwiftPM runs this plugin again when a name below the target's folder
/// appears or disappears, and the folder has links to `Templates/` and `Resources/`, so a build also detects new and
/// deleted files. esbuild is an input, too, and the command differs without it, so a bundle is never older than esbuild.
@main
struct EmbedAssets: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let files =
            try ["Templates", "Resources"].flatMap { try self.files(below: root.appending(path: $0)) }
            + [root.appending(path: "docs/openapi.json")]
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let esbuild = installed("esbuild")
        let bundling = esbuild.map { ["--esbuild", $0.path(percentEncoded: false)] } ?? []
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of Templates, Resources and docs"
                    + (esbuild == nil ? "; scripts are not bundled, because esbuild is not installed" : ""),
                executable: try context.tool(named: "AssetEmbedder").url,
                arguments: bundling + [root.path(percentEncoded: false), output.path(percentEncoded: false)]
                    + files.map { $0.path(percentEncoded: false) },
                inputFiles: files + (esbuild.map { [$0] } ?? []),
                outputFiles: [output])
        ]
    }

    /// Finds a program on the `PATH`.
    private func installed(_ program: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.lazy
            .map { URL(filePath: String($0)).appending(path: program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }?
            .resolvingSymlinksInPath()
    }

    private func files(below folder: URL) throws -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [URL] = []
        for case let url as URL in found ?? .init()
        where try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            // The files for systemd and other programs are installed on the machine, not sent to browsers.
            let path = url.path
            let isForMachine = ["grafana", "home-assistant", "systemd"].contains { path.contains("/Resources/\($0)/") }
            if !isForMachine, !url.lastPathComponent.hasPrefix(".") { files.append(url) }
        }
        return files.sorted { $0.path < $1.path }
    }
}
