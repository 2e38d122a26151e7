package import FoundationEssentials
import Glibc
import Handoff

/// A file that is read within bounds, because it may be hostile: a read neither waits forever for a pipe without a
/// writer nor continues forever on an endless device.
package struct BoundedFile: ~Copyable {
    private let descriptor: Int32

    /// Opens a file of any kind for reading.
    /// - Parameter followsLink: Whether to follow a symbolic link at the end of the path; if not, this fails with
    ///   ELOOP.
    /// - Throws: The system's error.
    package init(opening path: String, followsLink: Bool = true) throws(POSIXError) {
        // O_NONBLOCK keeps a pipe from waiting for its writer, O_NOCTTY a terminal from becoming the controlling one.
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { throw POSIXError(errno: errno) }
    }

    deinit { _ = close(descriptor) }

    /// Whether it is a regular file, which has a size and an end.
    package var isRegular: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads from the current position to the end.
    /// - Parameters:
    ///   - limit: The maximum number of bytes to read; the file may have more.
    ///   - timeout: The total time to wait for the writer of a pipe, in seconds.
    /// - Throws: The system's error; ETIMEDOUT if a pipe has neither data nor an end when the time is up.
    package func read(upTo limit: Int, timeout: Double) throws(POSIXError) -> [UInt8] {
        try Self.read(descriptor, upTo: limit, timeout: timeout)
    }

    /// Reads from the current position of an open file to its end, with the same limits and errors.
    package static func read(_ descriptor: Int32, upTo limit: Int, timeout: Double) throws(POSIXError) -> [UInt8] {
        let deadline = MonotonicTime.now() + timeout
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        while bytes.count < limit {
            // For a pipe without a writer, read(2) reports the end, but poll(2) waits.
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, deadline.pollTimeout) != 0 else { throw POSIXError(.ETIMEDOUT) }
            let count = unsafe Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
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
