import Files
import FoundationEssentials
import Glibc

/// A folder that the configuration names, and the files in it, by their paths relative to it.
///
/// Hidden files, files over 5 MB, everything that is not a regular file, and links that lead to a folder or out of this
/// one are omitted. The kernel is asked for the location of a file only after the file has been opened, so an attacker
/// gains nothing by replacing the file, or a link on the way to it, between the listing and the reading.
struct AssetFolder: Sendable {
    /// A version of a file, which is read again when its version changes.
    struct Version: Equatable, Sendable {
        fileprivate(set) var size: Int
        private var device: UInt64
        private var inode: UInt64
        /// The time of the last change of the content, which `touch` and `cp -p` may set.
        private var modified: Time
        /// The time of the last change of the content or the inode, which only the system sets.
        private var changed: Time

        fileprivate init(_ status: FileStatus) {
            size = status.size
            device = UInt64(status.fields.st_dev)
            inode = UInt64(status.fields.st_ino)
            modified = Time(status.fields.st_mtim)
            changed = Time(status.fields.st_ctim)
        }

        private struct Time: Equatable {
            private var seconds: Int
            private var nanoseconds: Int

            init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
        }
    }

    /// The largest size of a file, in bytes.
    static let maxFileSize = 5_000_000
    /// The largest total size of the files in bytes. All of them are kept in memory.
    static let maxTotalSize = 64_000_000
    /// The maximum number of entries, including folders and hidden files.
    static let maxEntries = 2_000
    /// The deepest nesting of folders. Deeper ones are omitted. Each folder stays open while those in it are listed.
    static let maxDepth = 16

    /// The path of the folder, as the user wrote it.
    let path: String

    /// Lists the files that are served, with their versions.
    /// - Throws: `PagesError.folder` if the folder cannot be read or exceeds a limit.
    func list() throws(PagesError) -> [String: Version] {
        let root: FileDescriptor
        do throws(POSIXError) {
            root = try FileDescriptor(opening: path, flags: O_DIRECTORY)
        } catch {
            throw problem(
                error.code == .EACCES
                    ? "the folder cannot be read; check its permissions"
                    : "there is no such folder; create it, or remove it from the configuration")
        }
        var listing = Listing(root: try location(of: root))
        try list(root, prefix: "", depth: 0, into: &listing)
        return listing.files
    }

    /// Reads a file.
    /// - Parameter limit: The largest size, in bytes.
    /// - Returns: The content and its version; nil if the file cannot be read, is no longer a regular file in this
    ///   folder, or is too large.
    func read(_ name: String, upTo limit: Int = maxFileSize) -> (content: Data, version: Version)? {
        guard
            let root = try? FileDescriptor(opening: path, flags: O_DIRECTORY),
            let rootLocation = try? location(of: root),
            let place = try? root.locate(name), Self.isFile(place, below: rootLocation),
            let file = try? place.reopened(), let status = try? file.status,
            let content = try? file.read(upTo: min(limit, Self.maxFileSize) + 1, timeout: 0),
            content.count <= min(limit, Self.maxFileSize)
        else { return nil }
        return (Data(content), Version(status))
    }

    private struct Listing {
        let root: [UInt8]
        var files: [String: Version] = [:]
        var entries = 0
        var total = 0
    }

    private func list(
        _ folder: borrowing FileDescriptor, prefix: String, depth: Int, into listing: inout Listing
    ) throws(PagesError) {
        guard let names = try? folder.names(upTo: Self.maxEntries - listing.entries) else {
            // The files of an unreadable inner folder are omitted, like unreadable files.
            if depth > 0 { return }
            throw problem("the folder cannot be read; check its permissions")
        }
        listing.entries += names.count
        guard listing.entries <= Self.maxEntries else {
            throw problem("it contains more than \(Self.maxEntries) files and folders; use a separate folder")
        }
        for name in names where name.utf8.first != UInt8(ascii: ".") {
            guard let status = try? folder.status(of: name) else { continue }
            switch status.kind {
            case S_IFREG:
                try add(status, named: prefix + name, to: &listing)
            case S_IFLNK:
                guard let target = try? folder.locate(name), Self.isFile(target, below: listing.root),
                    let status = try? target.status
                else { continue }
                try add(status, named: prefix + name, to: &listing)
            case S_IFDIR where depth < Self.maxDepth:
                guard let inner = try? folder.open(name, flags: O_DIRECTORY | O_NOFOLLOW) else { continue }
                try list(inner, prefix: prefix + name + "/", depth: depth + 1, into: &listing)
            default: continue
            }
        }
    }

    private func add(_ status: FileStatus, named name: String, to listing: inout Listing) throws(PagesError) {
        let version = Version(status)
        guard version.size <= Self.maxFileSize else { return }
        listing.total += version.size
        guard listing.total <= Self.maxTotalSize else {
            throw problem(
                "its files are larger than \(Self.maxTotalSize / 1_000_000) MB in total; use a separate folder")
        }
        listing.files[name] = version
    }

    /// Returns whether a file is a regular file below a folder.
    private static func isFile(_ file: borrowing FileDescriptor, below folder: [UInt8]) -> Bool {
        guard let status = try? file.status, status.isRegular, let location = file.location else {
            return false
        }
        return location.starts(with: folder) && location.dropFirst(folder.count).first == UInt8(ascii: "/")
    }

    /// Returns the location of the folder, without a slash at its end.
    private func location(of root: borrowing FileDescriptor) throws(PagesError) -> [UInt8] {
        guard let location = root.location else {
            throw problem("its location is unknown, because /proc is not mounted; mount it")
        }
        return location == [UInt8(ascii: "/")] ? [] : location
    }

    private func problem(_ problem: String) -> PagesError { .folder(path: path, problem: problem) }
}
