import FoundationEssentials
import Glibc

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

    /// The other processes that have a device open, lowest number first; of other users' processes none are seen
    /// without privileges. At most eight are looked for.
    public static func all(of path: String) -> [DeviceHolder] {
        let files = FileManager.default
        var wanted = stat()
        guard unsafe stat(path, &wanted) == 0 else { return [] }
        let numbers = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init).sorted()
        var found: [DeviceHolder] = []
        for pid in numbers where pid != getpid() && found.count < 8 {
            let folder = "/proc/\(pid)/fd"
            guard let descriptors = try? files.contentsOfDirectory(atPath: folder) else { continue }
            let isHolder = descriptors.contains { descriptor in
                var file = stat()
                // Follows the link: a node may have more than one name.
                return unsafe stat("\(folder)/\(descriptor)", &file) == 0
                    && file.st_mode & S_IFMT == S_IFCHR && file.st_rdev == wanted.st_rdev
            }
            guard isHolder else { continue }
            let name = (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) ?? ""
            found.append(DeviceHolder(pid: pid, name: String(name.prefix { $0 != "\n" })))
        }
        return found
    }
}
