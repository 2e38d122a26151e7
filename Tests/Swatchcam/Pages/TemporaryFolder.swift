import Foundation

/// A folder for one test, removed with its last reference.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "swatchcam-\(UUID().uuidString)")

    var path: String { url.path }

    init(_ files: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, content) in files { try write(content, to: name) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ content: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
    }
}
