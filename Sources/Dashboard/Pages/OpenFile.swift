import FoundationEssentials
import Glibc
import Untrusted

/// An open file or folder, which is closed when its owner releases this value.
struct OpenFile: ~Copyable {
    private let descriptor: Int32

    /// Opens a path.
    ///
    /// This does not wait for the writer of a FIFO, and does not make a terminal the controlling terminal.
    /// - Parameter flags: Flags of open(2), besides `O_RDONLY`.
    /// - Returns: nil if the path cannot be opened. errno contains the reason.
    init?(_ path: String, flags: Int32 = 0) {
        self.init(descriptor: unsafe open(path, Self.flags | flags))
    }

    /// Opens a path relative to a folder, in the same way.
    init?(_ path: String, in folder: borrowing OpenFile, flags: Int32 = 0) {
        self.init(descriptor: unsafe openat(folder.descriptor, path, Self.flags | flags))
    }

    /// Locates a file in a folder, at the end of any links, without opening it for reading. This does not affect a
    /// device or a FIFO.
    init?(pathOnly name: String, in folder: borrowing OpenFile) {
        self.init(name, in: folder, flags: Self.pathOnly)
    }

    private init?(descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// `O_PATH` (asm-generic/fcntl.h), which Swift does not import.
    private static let pathOnly: Int32 = 0o10000000

    private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// The status of the file; nil if it cannot be determined.
    var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Returns the status of an entry of this folder; of a symbolic link, the status of the link itself.
    func status(of name: String) -> stat? {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The path of the file, without links; nil if /proc is not mounted.
    var location: [UInt8]? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &path, path.count)
        return count > 0 ? path[..<count].map(UInt8.init(bitPattern:)) : nil
    }

    /// Opens the same file for reading.
    func reopened() -> OpenFile? {
        OpenFile(link)
    }

    /// Reads the rest of the file.
    /// - Parameter limit: The maximum length in bytes.
    /// - Returns: nil if the rest is longer than the limit, or cannot be read.
    func content(upTo limit: Int) -> Data? {
        guard let content = try? BoundedFile.read(descriptor, upTo: limit + 1, timeout: 0), content.count <= limit
        else { return nil }
        return Data(content)
    }

    /// Lists the names in this folder, without `.`, `..` and names that are not UTF-8.
    /// - Parameter limit: The maximum number of names. If there are more, one more than this is returned.
    /// - Returns: nil if the folder cannot be listed.
    func names(upTo limit: Int) -> [String]? {
        // A directory stream moves the offset of its descriptor and closes it, so it needs a descriptor of its own.
        let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return nil }
        guard let folder = unsafe fdopendir(copy) else {
            _ = close(copy)
            return nil
        }
        defer { _ = unsafe closedir(folder) }
        var names: [String] = []
        while names.count <= limit, let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private var link: String { "/proc/self/fd/\(descriptor)" }
}
