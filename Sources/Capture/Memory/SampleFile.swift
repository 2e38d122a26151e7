import FoundationEssentials
import Glibc
import Synchronization
import Untrusted

/// The file that keeps the samples from one run to the next.
final class SampleFile: Sendable {
    /// The reason why the file cannot be used.
    enum Problem: Error, Equatable {
        /// It is not a list of samples: the end of a sentence about it.
        case damaged(String)
        /// It may be one, but cannot be used: a sentence.
        case unusable(String)
    }

    /// The longest file that is read or written, in bytes. A thousand samples of a usual camera take two million.
    private static let maxSize = 16 << 20
    /// The most files that are put aside.
    private static let mostAside = 100

    private let folder: StateFolder
    private let file: URL
    /// Whether the file, if there is one, has been read or written by this program. If there was no folder at the
    /// start, another program may have written one since.
    private let isKnown = Mutex(false)

    /// - Parameter folder: The folder of the file. It is created when it is needed.
    init(_ folder: StateFolder) {
        self.folder = folder
        file = URL(filePath: folder.path).appending(path: "samples.json")
    }

    var path: String { file.path }

    /// Reads the samples; returns nil if there is no file.
    func read() throws(Problem) -> SampleList? {
        do {
            guard try folder.claim() else { return nil }
        } catch let error as StateFolder.InUse {
            throw .unusable("\(error)")
        } catch {
            throw .unusable("\(path.sanitized()) cannot be read: \(error.reason).")
        }
        isKnown.withLock { $0 = true }
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
            try folder.claimOrMake()
            var status = stat()
            let exists = unsafe lstat(path, &status) == 0
            guard isKnown.withLock(\.self) || !exists else {
                throw StateFolder.InUse(path: folder.path)
            }
            try AtomicFile.replace(file, with: data)
            isKnown.withLock { $0 = true }
        } catch let error as StateFolder.InUse {
            throw .unusable("\(error)")
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
}
