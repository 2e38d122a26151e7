package import Foundation

/// A folder that is deleted together with this value.
package final class TemporaryFolder: Sendable {
    package let path: String
    package var url: URL { URL(filePath: path) }

    /// Creates a folder with files, given by their paths below it.
    package init(_ files: [String: String] = [:]) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "swatchcam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
        for (name, content) in files { try write(content.utf8, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Creates a file and the folders that lead to it.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String = "config.toml") throws -> String {
        let url = URL(filePath: path).appending(path: name)
        try makeFolder(url.deletingLastPathComponent().path)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Creates a file and the folders that lead to it.
    package func write(_ content: String, to name: String) throws {
        try write(content.utf8, to: name)
    }

    /// Creates a folder; a relative path starts at this folder.
    @discardableResult
    package func makeFolder(_ name: String) throws -> String {
        let folder = name.hasPrefix("/") ? name : path + "/" + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension TemporaryFolder {
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    /// Creates a symbolic link in this folder.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    /// Creates a named pipe that nobody writes to.
    package func makePipe(_ name: String) throws {
        guard unsafe mkfifo(path + "/" + name, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Renames a file, replacing any other of that name, as rename(2) does.
    package func rename(_ name: String, to other: String) throws {
        let result = unsafe Foundation.rename(path + "/" + name, path + "/" + other)
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}
