import FoundationEssentials
import Glibc
import Untrusted

/// A file that is replaced as a whole, so that a power cut or a crash leaves either the old one or the new one.
enum AtomicFile {
    /// Replaces a file. Its folder is created if it is missing.
    /// - Throws: The system's error.
    static func replace(_ file: URL, with data: Data) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let fresh = file.path + ".new"
        // An existing file is removed rather than written to: it may be a pipe, or a link to another file.
        _ = unsafe unlink(fresh)
        let descriptor = unsafe open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(errno: errno) }
        do throws(POSIXError) {
            defer { _ = close(descriptor) }
            try data.write(to: descriptor)
            guard fsync(descriptor) == 0 else { throw POSIXError(errno: errno) }
            guard unsafe rename(fresh, file.path) == 0 else { throw POSIXError(errno: errno) }
        } catch {
            _ = unsafe unlink(fresh)
            throw error
        }
    }
}
