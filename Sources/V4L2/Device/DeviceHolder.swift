import FoundationEssentials
import Glibc
import Untrusted

/// A process that has a device open.
public struct DeviceHolder: Equatable, Sendable {
    /// The process number.
    public var pid: Int32
    /// Its name, of at most 15 characters (`/proc/PID/comm`).
    public var name: String

    /// Creates a process from the given values, unchecked.
    public init(pid: Int32, name: String) {
        self.pid = pid
        self.name = name
    }

    /// Creates a process from its name, which may be any bytes (prctl(2), `PR_SET_NAME`).
    /// - Parameter comm: The content of `/proc/PID/comm`, with the newline that the kernel appends.
    init(pid: Int32, comm: some BidirectionalCollection<UInt8>) {
        let name = comm.last == UInt8(ascii: "\n") ? comm.dropLast() : comm[...]
        self.init(pid: pid, name: name.isEmpty ? "a program" : String(decoding: name, as: UTF8.self).sanitized())
    }

    /// Returns up to eight other processes that have a device open, lowest number first. Without privileges, other
    /// users' processes are not visible.
    public static func all(of path: String) -> [DeviceHolder] {
        let files = FileManager.default
        let device = URL(filePath: path).resolvingSymlinksInPath().path
        let numbers = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init).sorted()
        var found: [DeviceHolder] = []
        for pid in numbers where pid != getpid() && found.count < 8 {
            let folder = "/proc/\(pid)/fd"
            guard let descriptors = try? files.contentsOfDirectory(atPath: folder) else { continue }
            let isHolder = descriptors.contains { descriptor in
                // The link is read but not followed: its target may be on a file server that does not respond.
                (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")) == device
            }
            guard isHolder else { continue }
            let comm = (try? Data(contentsOf: URL(filePath: "/proc/\(pid)/comm"))) ?? Data()
            found.append(DeviceHolder(pid: pid, comm: comm))
        }
        return found
    }
}
