package import FoundationEssentials
import Glibc
import Handoff

/// Reading within bounds, because a file may be hostile, and writing.
extension FileDescriptor {
    /// Reads from the current position to the end.
    ///
    /// This neither waits forever for a pipe without a writer nor continues forever on an endless device.
    /// - Parameters:
    ///   - limit: The maximum number of bytes to read; the file may have more.
    ///   - timeout: The total time to wait for the writer of a pipe, in seconds.
    /// - Throws: The system's error; ETIMEDOUT if a pipe has neither data nor an end when the time is up.
    package func read(upTo limit: Int, timeout: Double) throws(POSIXError) -> [UInt8] {
        let deadline = MonotonicTime.now() + timeout
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        while bytes.count < limit {
            // For a pipe without a writer, read(2) reports the end, but poll(2) waits.
            var entry = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, deadline.pollTimeout) != 0 else { throw POSIXError(.ETIMEDOUT) }
            let count = unsafe Glibc.read(rawValue, &buffer, min(buffer.count, limit - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes += buffer[..<count]
            } else if errno != EAGAIN, errno != EINTR {
                throw POSIXError(errno: errno)
            }
        }
        return bytes
    }

    /// Reads a part of a regular file, or as much of it as there is, and leaves the current position as it is.
    package func read(_ range: Range<Int>) throws(POSIXError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    rawValue, buffer.baseAddress.map { unsafe $0 + count }, range.count - count,
                    off_t(range.lowerBound + count))
            }
            guard read >= 0 else {
                if errno == EINTR { continue }
                throw POSIXError(errno: errno)
            }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }

    /// Writes all bytes.
    package func write(_ data: Data) throws(POSIXError) { try data.write(to: rawValue) }

    /// Cuts off what follows the first bytes.
    package func truncate(to size: Int) throws(POSIXError) {
        guard ftruncate(rawValue, off_t(size)) == 0 else { throw POSIXError(errno: errno) }
    }

    /// Waits until the content is on the disk.
    package func sync() throws(POSIXError) {
        guard fsync(rawValue) == 0 else { throw POSIXError(errno: errno) }
    }
}

extension Data {
    /// Writes all bytes to an open file that this program does not own, such as stdout.
    package func write(to descriptor: Int32) throws(POSIXError) {
        var rest = self
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw POSIXError(errno: errno)
            }
        }
    }
}

/// A regular file that is read as a whole.
package enum RegularFile {
    /// The error if a path leads to anything but a regular file of the permitted size.
    package struct Unsuitable: LocalizedError {
        /// The end of a sentence about the path.
        package let errorDescription: String?
    }

    /// Returns the content of a file; nil if there is none.
    /// - Parameter followsLinks: Whether a link is followed, which is right for a path that the user has written.
    /// - Throws: `Unsuitable`, or the system's error.
    package static func content(of path: String, maxSize: Int, followsLinks: Bool = false) throws -> Data? {
        let bytes: [UInt8]
        do throws(POSIXError) {
            let file = try FileDescriptor(opening: path, flags: followsLinks ? 0 : O_NOFOLLOW)
            // The error for a socket, which cannot be opened.
            guard try file.status.isRegular else { throw POSIXError(.ENXIO) }
            bytes = try file.read(upTo: maxSize + 1, timeout: 0)
        } catch {
            switch error.code {
            case .ENOENT, .ENOTDIR: return nil
            case .ELOOP: throw Unsuitable(errorDescription: "it is a symbolic link")
            case .ENXIO: throw Unsuitable(errorDescription: "it is not a regular file")
            default: throw error
            }
        }
        guard bytes.count <= maxSize else { throw Unsuitable(errorDescription: "it is too long") }
        return Data(bytes)
    }
}
