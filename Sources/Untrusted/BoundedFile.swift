package import Foundation
import Handoff

/// A file that is read as if it were hostile: a pipe that nobody writes to is not waited for, a device without end is
/// not read to its end.
package struct BoundedFile: ~Copyable {
    private let descriptor: Int32

    /// Opens a file for reading, whatever it is.
    /// - Parameter followsLink: Whether a symbolic link at the end of the path leads on; otherwise it fails with ELOOP.
    /// - Throws: What the system says.
    package init(opening path: String, followsLink: Bool = true) throws(POSIXError) {
        // To open a pipe would otherwise wait for its writer, and a terminal could become the controlling one.
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { throw POSIXError(errno: errno) }
    }

    deinit { _ = close(descriptor) }

    /// Whether it is a file as on a disk, with a size and an end.
    package var isRegular: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads from where it was left off to the end.
    /// - Parameters:
    ///   - limit: The most bytes that are read; there may be more.
    ///   - patience: How long to wait for a pipe, in seconds, in all.
    /// - Throws: What the system says; ETIMEDOUT when a pipe has no end in time.
    package func read(upTo limit: Int, patience: Double) throws(POSIXError) -> [UInt8] {
        let deadline = MonotonicTime.now() + patience
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        while bytes.count < limit {
            // A pipe without a writer is at its end for read(2), and not for poll(2).
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, deadline.pollTimeout) != 0 else { throw POSIXError(.ETIMEDOUT) }
            let count = unsafe Foundation.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes += buffer[..<count]
            } else if errno != EAGAIN, errno != EINTR {
                throw POSIXError(errno: errno)
            }
        }
        return bytes
    }
}

extension POSIXError {
    /// What a system call said.
    package init(errno: Int32) {
        self.init(.init(rawValue: errno) ?? .EIO)
    }
}
