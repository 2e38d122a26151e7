import Glibc

/// What there is at a path, links not followed.
struct FileStatus {
    private let status: stat?

    init(_ path: String) {
        var status = stat()
        self.status = unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// Whether somebody may be writing what was created here: not a link, not a folder, not a second name for a file
    /// that was there already.
    var mayHaveWriter: Bool {
        guard let status else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }
}
