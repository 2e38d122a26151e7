import Foundation
import Glibc

/// Remembers which camera a person chose, from one run to the next.
struct CameraMemory: Sendable {
    private struct Content: Codable {
        var camera: String
    }

    /// Longer ids than any: what is longer is no memory of ours.
    private static let longest = 4096

    private let file: URL

    /// - Parameter folder: Where the file is; it is made when it is needed.
    init(folder: String) {
        file = URL(filePath: folder).appending(path: "state.json")
    }

    /// In the folder that systemd made for the service (`StateDirectory=`), else `$XDG_STATE_HOME/swatchcam`, else
    /// `~/.local/state/swatchcam` as the XDG base directory specification has it, else `/var/lib/swatchcam`.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // systemd separates several folders by colons.
        let service = folder("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        let user = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        self.init(folder: service ?? user.map { $0 + "/swatchcam" } ?? "/var/lib/swatchcam")
    }

    var path: String { file.path }

    /// The camera's stable id; nil if none was chosen, or nobody can tell any more.
    var camera: String? {
        guard let handle = try? FileHandle(forReadingFrom: file), let data = try? handle.read(upToCount: Self.longest)
        else { return nil }
        return (try? JSONDecoder().decode(Content.self, from: data))?.camera
    }

    /// Keeps a camera's stable id. Whole or not at all: a power cut leaves the old one.
    /// - Throws: What the system has to say of the folder.
    func store(_ camera: String) throws {
        let data = try JSONEncoder().encode(Content(camera: camera))
        guard data.count <= Self.longest else { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let fresh = file.path + ".new"
        let descriptor = unsafe open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
        guard unsafe rename(fresh, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}
