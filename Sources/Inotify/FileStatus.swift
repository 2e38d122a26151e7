import Glibc

/// What there is at a path.
package struct FileStatus {
    private let status: stat?

    /// - Parameter followsLinks: Whether it is about what is at the end of a link, not the link.
    package init(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        let result = followsLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        self.status = result == 0 ? status : nil
    }

    package var isRegular: Bool { type == S_IFREG }
    package var isFolder: Bool { type == S_IFDIR }
    /// Nothing is there, or not for this user to know.
    package var isUnknown: Bool { status == nil }

    /// Whether somebody may be writing what was created here: not a link, not a folder, not a second name for a file
    /// that was there already.
    var mayHaveWriter: Bool { isRegular && status?.st_nlink == 1 }

    private var type: mode_t? { status.map { $0.st_mode & S_IFMT } }
}
