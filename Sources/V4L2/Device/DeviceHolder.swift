import FoundationEssentials
import Glibc
import Untrusted

/// A process that has a device open.
public struct DeviceHolder: Equatable, Sendable {
    /// The process number.
    public var pid: Int32
    /// Its name, of at most 15 characters (`/proc/PID/comm`).
    public var name: String
}

extension DeviceHolder {
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

/// The group whose members may use a device.
enum DeviceGroup {
    /// The number that stands for every group that this user namespace does not map (user_namespaces(7)).
    private static let overflow: gid_t = 65534

    /// Returns the group's name; nil if the group may not use the device, has no name, or is not mapped here.
    static func name(of path: String) -> String? {
        var file = stat()
        let readAndWrite = mode_t(S_IRGRP | S_IWGRP)
        guard unsafe stat(path, &file) == 0, file.st_mode & readAndWrite == readAndWrite, file.st_gid != overflow
        else { return nil }
        var entry = unsafe group()
        var text = [CChar](repeating: 0, count: 1024)
        var found: UnsafeMutablePointer<group>?
        guard unsafe getgrgid_r(file.st_gid, &entry, &text, text.count, &found) == 0, unsafe found != nil,
            let name = unsafe entry.gr_name
        else { return nil }
        return unsafe String(cString: name).sanitized()
    }
}
