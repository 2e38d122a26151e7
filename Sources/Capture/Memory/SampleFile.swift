import FoundationEssentials
import Glibc
import Synchronization
import Untrusted

/// The file that keeps the samples from one run to the next. One program at a time uses it.
final class SampleFile: Sendable {
    /// The reason why the file cannot be used.
    enum Problem: Error, Equatable {
        /// It is not a list of samples: the end of a sentence about it.
        case damaged(String)
        /// It may be one, but cannot be used: a sentence.
        case unusable(String)
    }

    private struct Lock {
        var folder: Int32?
        /// Whether there was a file when the folder was opened, and it has not been read.
        var hasUnreadFile = false
    }

    /// The longest file that is read or written, in bytes. A thousand samples of a usual camera take two million.
    private static let maxSize = 16 << 20
    /// The most files that are put aside.
    private static let mostAside = 100

    private let file: URL
    /// The open folder, whose lock (flock(2)) keeps other programs from the file. The system releases the lock when the
    /// program ends, however that happens.
    private let lock = Mutex(Lock())

    /// - Parameter folder: The folder of the file. It is created when it is needed.
    init(folder: String) {
        file = URL(filePath: folder).appending(path: "samples.json")
    }

    deinit {
        guard let descriptor = lock.withLock({ $0.folder }) else { return }
        // Closing is not enough while a process that is just being started has a copy of the descriptor.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    var path: String { file.path }

    /// Reads the samples; returns nil if there is no file.
    func read() throws(Problem) -> SampleList? {
        guard try acquire() else { return nil }
        lock.withLock { $0.hasUnreadFile = false }
        let bytes: [UInt8]?
        do throws(POSIXError) {
            let file = try BoundedFile(opening: path, followsLink: false)
            bytes = file.isRegular ? try file.read(upTo: Self.maxSize + 1, timeout: 0) : nil
        } catch {
            switch error.code {
            case .ENOENT, .ENOTDIR: return nil
            case .ELOOP: throw .damaged("it is a symbolic link")
            // For example a socket, which cannot be opened.
            case .ENXIO: throw .damaged("it is not a regular file")
            default: throw .unusable("\(path.sanitized()) cannot be read: \(error.reason).")
            }
        }
        guard let bytes else { throw .damaged("it is not a regular file") }
        guard bytes.count <= Self.maxSize else { throw .damaged("it is too long") }
        guard let list = try? JSONDecoder().decode(SampleList.self, from: Data(bytes)) else {
            throw .damaged("it is damaged, or this version of Swatchcam did not write it")
        }
        return list
    }

    /// Writes the samples.
    /// - Throws: The reason, in a sentence.
    func write(_ list: SampleList) throws(Problem) {
        let data = JSONText.data(of: list)
        guard data.count <= Self.maxSize else {
            throw .unusable("\(path.sanitized()) would be longer than \(Self.maxSize >> 20) MiB. Delete some samples.")
        }
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            guard try acquire(), !hasUnreadFile else { throw Problem.unusable(Self.inUse(path)) }
            try AtomicFile.replace(file, with: data)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .unusable("\(path.sanitized()) cannot be written: \(error.reason).")
        }
    }

    /// Renames the file, so that it is not overwritten.
    /// - Returns: Its new path; nil if it cannot be renamed.
    func putAside() -> String? {
        for number in 1...Self.mostAside {
            let aside = file.deletingLastPathComponent().appending(path: "samples.damaged-\(number).json").path
            var status = stat()
            guard unsafe lstat(aside, &status) != 0 else { continue }
            guard errno == ENOENT, unsafe rename(path, aside) == 0 else { return nil }
            return aside
        }
        return nil
    }

    /// Keeps other programs from the file.
    /// - Returns: False if there is no folder yet.
    private func acquire() throws(Problem) -> Bool {
        try lock.withLock { held throws(Problem) in
            if held.folder != nil { return true }
            let descriptor = unsafe open(
                file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else {
                if errno == ENOENT || errno == ENOTDIR { return false }
                throw .unusable("\(path.sanitized()) cannot be read: \(POSIXError(errno: errno).reason).")
            }
            // A file system without locks can only be used without one.
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                _ = close(descriptor)
                throw .unusable(Self.inUse(path))
            }
            var status = stat()
            held = Lock(folder: descriptor, hasUnreadFile: unsafe lstat(path, &status) == 0)
            return true
        }
    }

    /// Whether there is a file that was not read. If there was no folder at the start, another program may have written
    /// one since.
    private var hasUnreadFile: Bool { lock.withLock { $0.hasUnreadFile } }

    private static func inUse(_ path: String) -> String {
        "\(path.sanitized()) is in use by another Swatchcam. Give this one a folder of its own with XDG_STATE_HOME."
    }
}
