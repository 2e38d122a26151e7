import Files
import FoundationEssentials
import Glibc
import Synchronization
import Untrusted

/// The file that keeps the samples from one run to the next.
final class SampleFile: Sendable {
    /// The reason why the file cannot be used.
    struct Problem: Error, Equatable {
        var sentence: String
    }

    /// The maximum size of the file, in bytes. A thousand samples of a usual camera take two million.
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

    /// Reads the samples of earlier runs. A file that is not a list of samples is put aside.
    /// - Returns: The samples, and the sentence about a file that was put aside.
    func read() throws(Problem) -> (list: SampleList, notice: String?) {
        let data: Data?
        do {
            guard try folder.claim() else { return (SampleList(), nil) }
            isKnown.withLock { $0 = true }
            data = try RegularFile.content(of: path, maxSize: Self.maxSize)
        } catch let error as RegularFile.Unsuitable {
            return (SampleList(), try putAside(because: error.reason))
        } catch let error as StateFolder.InUse {
            throw Problem(sentence: "\(error)")
        } catch {
            throw Problem(sentence: "\(path.sanitized()) cannot be read: \(error.reason).")
        }
        guard let data else { return (SampleList(), nil) }
        guard let list = try? JSONDecoder().decode(SampleList.self, from: data) else {
            return (
                SampleList(), try putAside(because: "it is damaged, or this version of Swatchcam did not write it")
            )
        }
        return (list, nil)
    }

    func write(_ list: SampleList) throws(Problem) {
        let data = JSONText.data(of: list)
        guard data.count <= Self.maxSize else {
            throw Problem(
                sentence: "\(path.sanitized()) would be longer than \(Self.maxSize >> 20) MiB. Delete some samples.")
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
            throw Problem(sentence: "\(error)")
        } catch {
            throw Problem(sentence: "\(path.sanitized()) cannot be written: \(error.reason).")
        }
    }

    /// Renames the file, so that it is not overwritten.
    /// - Returns: The sentence about it.
    private func putAside(because reason: String) throws(Problem) -> String {
        let start = "\(path.sanitized()) is not used, because \(reason)."
        do throws(POSIXError) {
            let name = try FileDescriptor(opening: folder.path, flags: O_DIRECTORY)
                .putAside(file.lastPathComponent) { "samples.damaged-\($0).json" }
            return "\(start) It was renamed to \("\(folder.path)/\(name)".sanitized())."
        } catch {
            throw Problem(sentence: "\(start) Move it away and start Swatchcam again.")
        }
    }
}
