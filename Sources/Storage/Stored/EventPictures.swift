import Documents
import Files
package import FoundationEssentials
import Glibc
import Readings
import Synchronization
import Untrusted

/// The pictures of events, in a folder of the state folder, of which the oldest give way to newer ones.
///
/// All its methods block the thread.
package final class EventPictures: Sendable {
    /// The reason why a picture is not kept, in a sentence.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    private struct File {
        var name: String
        var size: Int
        var time: Date
    }

    /// The maximum number of pictures, whatever their size.
    private static let maxCount = 5000
    /// The maximum size of a picture, in bytes: more than a camera of 16 megapixels delivers.
    private static let maxSize = 32 << 20
    private static let folderName = "events"

    private let folder: StateFolder?
    /// The pictures by ascending time; nil until they are listed.
    private let files = Mutex<[File]?>(nil)

    package init(in folder: StateFolder?) { self.folder = folder }

    /// Whether there is a folder to keep pictures in.
    package var canStore: Bool { folder != nil }

    /// Returns the name of the picture of a moment: `20261120T193000.250Z.jpg`.
    static func name(of time: Date) -> String {
        time.timestamp.filter { $0 != "-" && $0 != ":" } + ".jpg"
    }

    /// Returns the moment of a picture; nil if this is no name of one.
    static func time(of name: String) -> Date? {
        let digits = Array(name.utf8)
        guard digits.count == 24, name.hasSuffix("Z.jpg") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let text =
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<20))"
        guard let time = Date(timestamp: text), Self.name(of: time) == name else { return nil }
        return time
    }

    /// Keeps a picture, and removes those that are too old or for which there is no more room.
    /// - Parameters:
    ///   - time: The moment of the event.
    ///   - maxSize: The maximum size of all pictures, in bytes.
    /// - Returns: The name of the picture; nil if there is no room for it.
    package func store(_ picture: Data, at time: Date, now: Date, upTo maxSize: Int) throws(Problem) -> String? {
        guard let folder, picture.count <= min(maxSize, Self.maxSize) else { return nil }
        let name = Self.name(of: time)
        do {
            if try !folder.claim() {
                try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
                guard try folder.claim() else { throw POSIXError(.ENOTDIR) }
            }
            try prune(now: now, to: maxSize - picture.count, count: Self.maxCount - 1)
            let file = URL(filePath: folder.path(of: Self.folderName)).appending(path: name)
            try AtomicFile.replace(file, with: picture)
        } catch {
            throw Problem(description: folder.sentence(ofWriting: error))
        }
        files.withLock { files in
            files?.removeAll { $0.name == name }
            let place = files?.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
            files?.insert(File(name: name, size: picture.count, time: time), at: place)
        }
        return name
    }

    /// Removes the pictures that are too old or beyond a limit.
    package func prune(now: Date, upTo maxSize: Int) throws(Problem) {
        guard let folder, folder.has(Self.folderName) else { return }
        do {
            guard try folder.claim() else { return }
            try prune(now: now, to: maxSize, count: Self.maxCount)
        } catch {
            throw Problem(description: folder.sentence(ofWriting: error))
        }
    }

    private func prune(now: Date, to maxSize: Int, count: Int) throws {
        guard let folder, folder.has(Self.folderName) else { return }
        let descriptor = try FileDescriptor(
            opening: folder.path(of: Self.folderName), flags: O_DIRECTORY | O_NOFOLLOW)
        // Only one thread at a time keeps pictures.
        var left = try files.withLock { $0 } ?? Self.list(descriptor)
        var size = left.map(\.size).reduce(0, +)
        while let oldest = left.first,
            size > maxSize || left.count > count || now.timeIntervalSince(oldest.time) > History.maxAge
        {
            do throws(POSIXError) {
                try descriptor.remove(oldest.name)
            } catch {
                // Somebody else may have removed it.
                guard error.code == .ENOENT else { throw error }
            }
            left.removeFirst()
            size -= oldest.size
        }
        files.withLock { [left] in $0 = left }
    }

    /// Lists the pictures, and removes what a power cut has left of one.
    private static func list(_ folder: borrowing FileDescriptor) throws -> [File] {
        var files: [File] = []
        for name in try folder.names(upTo: 2 * maxCount) {
            if name.hasSuffix(".jpg.new"), time(of: String(name.dropLast(4))) != nil { try? folder.remove(name) }
            guard let time = time(of: name), let status = try? folder.status(of: name), status.isRegular else {
                continue
            }
            files.append(File(name: name, size: status.size, time: time))
        }
        return files.sorted { $0.time < $1.time }
    }

    /// Returns the picture of a name; nil if there is none.
    package func picture(named name: String) -> Data? {
        guard let folder, Self.time(of: name) != nil else { return nil }
        return try? RegularFile.content(of: folder.path(of: Self.folderName) + "/" + name, maxSize: Self.maxSize)
    }
}
