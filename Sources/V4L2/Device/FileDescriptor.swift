import Glibc

/// An open file, closed exactly once: when the value is destroyed.
package struct FileDescriptor: ~Copyable {
    let rawValue: Int32

    /// Takes ownership of an open file.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Opens a file.
    /// - Throws: `V4L2Error.system`.
    init(opening path: String, flags: Int32) throws(V4L2Error) {
        var descriptor: Int32
        repeat {
            descriptor = unsafe open(path, flags | O_CLOEXEC)
        } while descriptor == -1 && errno == EINTR
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno, path: path) }
        rawValue = descriptor
    }

    deinit {
        // Linux closes the file even if it reports EINTR or EIO; trying again could close another thread's file.
        _ = close(rawValue)
    }
}
