import Glibc

/// The status of the file at a path.
package struct FileStatus {
    private let status: stat?

    /// Reads the status of a file.
    /// - Parameter followsLinks: Whether to examine a symbolic link's target instead of the link.
    package init(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        let result = followsLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        self.status = result == 0 ? status : nil
    }

    /// Whether it is a regular file.
    package var isRegular: Bool { type == S_IFREG }
    /// Whether it is a folder.
    package var isFolder: Bool { type == S_IFDIR }
    /// Whether there is no file, or this user may not examine it.
    package var isUnknown: Bool { status == nil }

    /// Whether every user of this machine may read the file.
    package var isReadableByAll: Bool { (status?.st_mode ?? 0) & S_IROTH != 0 }

    /// Whether a program may be writing this newly created file: it is not a link, a folder, or a second name for an
    /// existing file.
    var mayHaveWriter: Bool { isRegular && status?.st_nlink == 1 }

    private var type: mode_t? { status.map { $0.st_mode & S_IFMT } }
}
