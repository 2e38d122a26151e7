import FoundationEssentials
import Glibc
import Untrusted

/// A process that has a device open, as far as this user may see it.
public struct DeviceHolder: Equatable, Sendable {
    /// The process.
    public var pid: Int32
    /// Its name, at most 15 characters (`/proc/PID/comm`).
    public var name: String

    /// A process; the values are taken as they are.
    public init(pid: Int32, name: String) {
        self.pid = pid
        self.name = name
    }

    /// A process that calls itself by any bytes, as every program may (prctl(2), `PR_SET_NAME`).
    /// - Parameter comm: What `/proc/PID/comm` has, with the newline that the kernel puts behind it.
    init(pid: Int32, comm: some BidirectionalCollection<UInt8>) {
        let name = comm.last == UInt8(ascii: "\n") ? comm.dropLast() : comm[...]
        self.init(pid: pid, name: name.isEmpty ? "a program" : String(decoding: name, as: UTF8.self).sanitized())
    }

    /// The other processes that have a device open, lowest number first; of other users' processes none are seen
    /// without privileges. At most eight are looked for.
    public static func all(of path: String) -> [DeviceHolder] {
        let files = FileManager.default
        let device = URL(filePath: path).resolvingSymlinksInPath().path
        let numbers = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init).sorted()
        var found: [DeviceHolder] = []
        for pid in numbers where pid != getpid() && found.count < 8 {
            let folder = "/proc/\(pid)/fd"
            guard let descriptors = try? files.contentsOfDirectory(atPath: folder) else { continue }
            let isHolder = descriptors.contains { descriptor in
                // What the link says, not what is behind it: that may be on a server that does not answer.
                (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")) == device
            }
            guard isHolder else { continue }
            let comm = (try? Data(contentsOf: URL(filePath: "/proc/\(pid)/comm"))) ?? Data()
            found.append(DeviceHolder(pid: pid, comm: comm))
        }
        return found
    }
}
