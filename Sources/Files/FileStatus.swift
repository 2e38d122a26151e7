package import FoundationEssentials
package import Glibc

/// The status of a file (stat(2)).
package struct FileStatus {
    package let fields: stat

    /// The kind of the file, such as `S_IFREG`.
    package var kind: mode_t { fields.st_mode & S_IFMT }
    package var isRegular: Bool { kind == S_IFREG }
    package var isFolder: Bool { kind == S_IFDIR }
    /// Whether every user of this machine may read the file.
    package var isReadableByAll: Bool { fields.st_mode & S_IROTH != 0 }
    /// The size in bytes.
    package var size: Int { Int(fields.st_size) }
}

extension FileStatus {
    /// Reads the status of the file at a path.
    /// - Parameters:
    ///   - folder: The open folder that a relative path starts from, by default the current one.
    ///   - followsLink: Whether to examine a symbolic link's target instead of the link.
    package init(
        of path: String, relativeTo folder: Int32 = AT_FDCWD, followsLink: Bool = false
    ) throws(POSIXError) {
        var fields = stat()
        guard unsafe fstatat(folder, path, &fields, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            throw POSIXError(errno: errno)
        }
        self.fields = fields
    }
}
