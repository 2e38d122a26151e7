import Files
import FoundationEssentials
import Glibc
import Synchronization
import Untrusted

/// The folder that keeps the state of the program from one run to the next: a camera, settings and samples.
///
/// One program at a time writes into it: the first that claims it, until it ends.
package final class StateFolder: Sendable {
    /// The error because another program has claimed the folder.
    struct InUse: Error, Equatable, CustomStringConvertible {
        var path: String

        /// The sentences for the log and the page.
        var description: String {
            "\(path.sanitized()) is in use by another Swatchcam. Give this one a folder of its own with XDG_STATE_HOME."
        }
    }

    let path: String
    private let claimed = Mutex<FileLock?>(nil)

    init(_ path: String) {
        self.path = path
    }

    /// Uses the first of these folders that is known: the one that systemd made for the service (`StateDirectory=`),
    /// `$XDG_STATE_HOME/swatchcam`, `~/.local/state/swatchcam` (the default of the XDG Base Directory Specification) and
    /// `/var/lib/swatchcam`.
    package convenience init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // systemd separates the folders by colons if there are several.
        let service = folder("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        let user = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        self.init(service ?? user.map { $0 + "/swatchcam" } ?? "/var/lib/swatchcam")
    }

    /// Claims the folder, unless this program has done so already.
    /// - Returns: False if there is no folder.
    /// - Throws: `InUse`, or the system's error if the folder cannot be opened.
    func claim() throws -> Bool {
        try claimed.withLock { claimed in
            if claimed != nil { return true }
            do throws(POSIXError) {
                claimed = try FileLock(FileDescriptor(opening: path, flags: O_DIRECTORY))
                return true
            } catch {
                switch error.code {
                case .ENOENT, .ENOTDIR: return false
                case .EAGAIN: throw InUse(path: path)
                default: throw error
                }
            }
        }
    }

    /// Claims the folder, and makes it if it is missing.
    /// - Throws: `InUse`, or the system's error.
    func claimOrMake() throws {
        guard try !claim() else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard try claim() else { throw POSIXError(.ENOTDIR) }
    }
}
