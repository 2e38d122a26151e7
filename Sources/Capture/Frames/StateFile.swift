import Foundation
import Glibc
import Untrusted
import V4L2

/// Remembers which camera a person chose, from one run to the next.
package struct StateFile: Sendable {
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
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // systemd separates several folders by colons.
        let service = folder("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        let user = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        self.init(folder: service ?? user.map { $0 + "/swatchcam" } ?? "/var/lib/swatchcam")
    }

    var path: String { file.path }

    /// The camera's stable id; nil if none was chosen.
    /// - Throws: `CameraMemoryError` when there is something at the path that is not a memory, whatever it is.
    func recall() throws(CameraMemoryError) -> String? {
        let bytes: [UInt8]?
        do throws(POSIXError) {
            let file = try BoundedFile(opening: path, followsLink: false)
            bytes = file.isRegular ? try file.read(upTo: Self.longest + 1, patience: 0) : nil
        } catch {
            switch error.code {
            case .ENOENT, .ENOTDIR: return nil
            case .ELOOP: throw CameraMemoryError(path: path, problem: "it is a symbolic link")
            default: throw CameraMemoryError(path: path, problem: error.localizedDescription)
            }
        }
        guard let bytes else { throw CameraMemoryError(path: path, problem: "it is not a regular file") }
        guard bytes.count <= Self.longest else { throw CameraMemoryError(path: path, problem: "it is too long") }
        guard JSONLimits.allow(Data(bytes)), let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
        else {
            throw CameraMemoryError(path: path, problem: "Swatchcam did not write it")
        }
        return content.camera
    }

    /// Keeps a camera's stable id. Whole or not at all: a power cut leaves the old one.
    /// - Throws: What the system has to say of the folder.
    func store(_ camera: String) throws {
        let data = JSONText.data(of: Content(camera: camera))
        guard data.count <= Self.longest else { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let fresh = file.path + ".new"
        // Whatever is left there is not written to: it may be a link to another file, or a pipe.
        _ = unsafe unlink(fresh)
        let descriptor = unsafe open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(errno: errno) }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
            guard unsafe rename(fresh, file.path) == 0 else { throw POSIXError(errno: errno) }
        } catch {
            _ = unsafe unlink(fresh)
            throw error
        }
    }
}

/// What is in the place of the memory, and is none.
struct CameraMemoryError: Error, Equatable, CustomStringConvertible {
    var path: String
    /// In words that follow the path.
    var problem: String

    /// A sentence for a person.
    var description: String {
        "\(path.sanitized()) is not used, because \(problem). No camera is remembered until one is chosen again."
    }
}
