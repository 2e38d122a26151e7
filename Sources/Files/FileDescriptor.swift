package import FoundationEssentials
package import Glibc

/// An open file or folder, closed exactly once: when the value is destroyed. All functions throw the system's error.
package struct FileDescriptor: ~Copyable {
    package let rawValue: Int32

    /// Takes ownership of an open file.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Opens a file, by default for reading.
    ///
    /// This neither waits for the writer of a pipe nor makes a terminal the controlling one.
    /// - Parameters:
    ///   - folder: The open folder that a relative path starts from, by default the current one.
    ///   - flags: Flags of open(2), besides those that every file is opened with.
    ///   - mode: The permissions of a new file.
    package init(
        opening path: String, relativeTo folder: Int32 = AT_FDCWD, flags: Int32 = 0, mode: mode_t = 0
    ) throws(POSIXError) {
        var descriptor: Int32
        repeat {
            descriptor = unsafe openat(folder, path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        } while descriptor == -1 && errno == EINTR
        guard descriptor >= 0 else { throw POSIXError(errno: errno) }
        rawValue = descriptor
    }

    deinit {
        // Linux closes the file even if it reports EINTR or EIO; trying again could close another thread's file.
        _ = close(rawValue)
    }

    /// Gives up the ownership of the open file, which the caller then has to close.
    package consuming func release() -> Int32 {
        let rawValue = rawValue
        discard self
        return rawValue
    }

    package var status: FileStatus {
        get throws(POSIXError) {
            var status = stat()
            guard unsafe fstat(rawValue, &status) == 0 else { throw POSIXError(errno: errno) }
            return FileStatus(fields: status)
        }
    }

    /// The path of the file, without links; nil if /proc is not mounted.
    package var location: [UInt8]? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &path, path.count)
        return count > 0 ? path[..<count].map(UInt8.init(bitPattern:)) : nil
    }

    /// Opens the same file for reading.
    package func reopened() throws(POSIXError) -> FileDescriptor { try FileDescriptor(opening: link) }

    private var link: String { "/proc/self/fd/\(rawValue)" }
}

/// The exclusive lock of a file or a folder (flock(2)), held until the value is destroyed.
///
/// The system releases it when the program ends, however that happens.
package struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// Locks a file. On a file system without locks, this has no effect.
    /// - Throws: EAGAIN if another program has locked the file.
    package init(_ file: consuming FileDescriptor) throws(POSIXError) {
        if flock(file.rawValue, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw POSIXError(.EAGAIN) }
        self.file = file
    }

    deinit {
        // Closing is not enough while a process that is just being started has a copy of the descriptor.
        _ = flock(file.rawValue, LOCK_UN)
    }
}

extension POSIXError {
    /// Creates an error from errno; an unknown value becomes EIO.
    package init(errno: Int32) {
        self.init(.init(rawValue: errno) ?? .EIO)
    }
}
