import Foundation

/// A folder that goes when the value does.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "swatchcam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes a file, and the folders that lead to it.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to name: String = "config.toml") throws -> String {
        let url = URL(filePath: path).appending(path: name)
        try makeFolder(url.deletingLastPathComponent().path)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Makes a folder; a relative path is one in this folder.
    @discardableResult
    func makeFolder(_ name: String) throws -> String {
        let folder = name.hasPrefix("/") ? name : path + "/" + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
