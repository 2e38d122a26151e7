import Glibc

/// The group whose members may use a device.
enum DeviceGroup {
    /// - Returns: Its name; nil if the group may not either, or has no name.
    static func name(of path: String) -> String? {
        var file = stat()
        let readAndWrite = mode_t(S_IRGRP | S_IWGRP)
        guard unsafe stat(path, &file) == 0, file.st_mode & readAndWrite == readAndWrite else { return nil }
        var entry = unsafe group()
        var text = [CChar](repeating: 0, count: 1024)
        var found: UnsafeMutablePointer<group>?
        guard unsafe getgrgid_r(file.st_gid, &entry, &text, text.count, &found) == 0, unsafe found != nil,
            let name = unsafe entry.gr_name
        else { return nil }
        return unsafe String(cString: name)
    }
}
