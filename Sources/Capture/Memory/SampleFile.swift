import Files
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
        let data: Data?
        do throws(RegularFile.Problem) {
            data = try RegularFile.content(of: path, maxSize: Self.maxSize)
        } catch {
            switch error {
            case .unsuitable(let problem): throw .damaged(problem)
            case .system(let error): throw .unusable("\(path.sanitized()) cannot be read: \(error.reason).")
            }
        }
        guard let data else { return nil }
        guard let list = try? JSONDecoder().decode(SampleList.self, from: data) else {
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
            let exists = (try? FileStatus(of: path)) != nil
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
        let name = try? FileDescriptor(opening: folder.path, flags: O_DIRECTORY)
            .putAside(file.lastPathComponent) { "samples.damaged-\($0).json" }
        return name.map { folder.path + "/" + $0 }
    }
}
