import Glibc
import Untrusted

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
