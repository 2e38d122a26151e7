package import FoundationEssentials
import Glibc

/// A file that is replaced as a whole, so that a power cut or a crash leaves either the old one or the new one.
package enum AtomicFile {
    /// Replaces a file. Its folder is created if it is missing.
    /// - Throws: The system's error.
    package static func replace(_ file: URL, with data: Data) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let fresh = file.path + ".new"
        // An existing file is removed rather than written to: it may be a pipe, or a link to another file.
        _ = unsafe unlink(fresh)
        let descriptor = try FileDescriptor(
            opening: fresh, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        do throws(POSIXError) {
            try descriptor.write(data)
            try descriptor.sync()
            guard unsafe rename(fresh, file.path) == 0 else { throw POSIXError(errno: errno) }
        } catch {
            _ = unsafe unlink(fresh)
            throw error
        }
        // Without this, a power cut could bring the old file back.
        do throws(POSIXError) {
            try FileDescriptor(opening: folder.path).syncNames()
        } catch {
            // A folder without read permission cannot be opened.
            guard error.code == .EACCES else { throw error }
        }
    }
}
