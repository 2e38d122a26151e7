import FoundationEssentials
import Glibc
import Readings
import Synchronization
import Untrusted

/// A folder with tables for each day, into which only one program writes at a time.
///
/// No link in it is followed, and only regular files are opened, because others may be able to write to the folder.
final class TableFolder: Sendable {
    /// The reason why the tables cannot be written, in a sentence.
    struct Problem: Error, Equatable {
        var sentence: String
    }

    private struct Opened {
        var folder: Int32
        /// The open file whose lock keeps other programs from the folder. The system releases the lock when the program
        /// ends, however that happens.
        var lock: Int32
        /// The tables whose header was found to be that of this version.
        var checked: Set<DailyTable> = []
    }

    private static let lockName = ".swatchcam.lock"
    private static let pieceSize = 1 << 18
    private static let flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    let path: String
    private let opened = Mutex<Opened?>(nil)

    init(_ path: String) {
        self.path = path
    }

    deinit { close() }

    var isOpen: Bool { opened.withLock { $0 != nil } }

    /// Opens the folder, unless it is open, and keeps other programs from it.
    func open() throws(Problem) {
        try opened.withLock { opened throws(Problem) in
            guard opened == nil else { return }
            let folder = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { throw problem(errno) }
            let lock = unsafe openat(folder, Self.lockName, O_RDONLY | O_CREAT | Self.flags, 0o644)
            guard lock >= 0 else {
                let reason = errno
                _ = Glibc.close(folder)
                throw problem(reason)
            }
            // A file system without locks can only be used without one.
            if flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                _ = Glibc.close(lock)
                _ = Glibc.close(folder)
                throw Problem(
                    sentence: "\(path.sanitized()) is in use by another Swatchcam. Give each a folder of its own.")
            }
            opened = Opened(folder: folder, lock: lock)
        }
    }

    /// Closes the folder, so that the path is opened again the next time: the folder may have been deleted, or another
    /// disk may be mounted there.
    func close() {
        opened.withLock { opened in
            guard let files = opened else { return }
            // Closing is not enough while a process that is just being started has a copy of the descriptor.
            _ = flock(files.lock, LOCK_UN)
            _ = Glibc.close(files.lock)
            _ = Glibc.close(files.folder)
            opened = nil
        }
    }

    /// Adds lines to a table, and waits until they are on the disk. If that fails, none of them is kept. A new table
    /// begins with its header.
    func append(_ lines: [String], to table: DailyTable) throws(Problem) {
        do {
            try opened.withLock { opened throws(POSIXError) in
                guard var files = opened else { throw POSIXError(.EBADF) }
                defer { opened = files }
                try prepare(table, &files)
                let file = try openTable(table, files.folder)
                defer { _ = Glibc.close(file) }
                let size = try TableInspection.repair(file)
                let text = ((size == 0 ? [table.header] : []) + lines).joined()
                do {
                    try Data(text.utf8).write(to: file)
                    guard fdatasync(file) == 0 else { throw POSIXError(errno: errno) }
                } catch {
                    // The rows are written again later: none may be there twice.
                    _ = ftruncate(file, off_t(size))
                    if size == 0 { _ = unsafe unlinkat(files.folder, table.name, 0) }
                    throw error as? POSIXError ?? POSIXError(.EIO)
                }
                files.checked.insert(table)
                // This puts the name of a new file on the disk, too.
                if size == 0 { _ = fsync(files.folder) }
            }
        } catch {
            close()
            throw error.code == .EEXIST
                ? Problem(sentence: "\(path.sanitized())/\(table.name) is not a file of Swatchcam. Move it away.")
                : problem(error.code.rawValue)
        }
    }

    /// Deletes the tables of the oldest days.
    ///
    /// Readings and marks have limits of their own, so that marks never cost the readings of a day.
    /// - Parameters:
    ///   - count: The greatest number of days to keep, at least 1.
    ///   - maxSizes: The greatest size of all tables of each kind to keep, in bytes. The marks of a day are deleted with
    ///     its readings.
    ///   - current: The day that is kept in any case. It need not be the last one, because the clock may be wrong.
    /// - Returns: The names of the deleted files.
    func prune(to count: Int, maxSizes: [DailyTable.Content: Int], besides current: String) -> [String] {
        opened.withLock { opened in
            guard let folder = opened?.folder else { return [] }
            let days = Dictionary(grouping: tables(), by: \.day).mapValues { tables in
                tables.compactMap { table in Self.size(of: table, folder).map { (table: table, size: $0) } }
            }
            var (left, room) = (count - 1, maxSizes)
            for (table, size) in days[current] ?? [] { room[table.content, default: 0] -= size }
            var deleted: [String] = []
            for (day, files) in days.sorted(by: { $0.key > $1.key }) where day != current && !files.isEmpty {
                left -= 1
                for (table, size) in files { room[table.content, default: 0] -= size }
                for (table, _) in files {
                    // All older tables are deleted too, even if they are smaller.
                    let isBeyond = [.readings, table.content].contains { room[$0, default: 0] < 0 }
                    guard left < 0 || isBeyond else { continue }
                    if unsafe unlinkat(folder, table.name, 0) == 0 { deleted.append(table.name) }
                }
            }
            return deleted
        }
    }

    /// Returns the size of a table in bytes; 0 if there is none.
    func size(of table: DailyTable) -> Int {
        opened.withLock { opened in opened.flatMap { Self.size(of: table, $0.folder) } ?? 0 }
    }

    /// Reads a table in pieces, line by line, until it ends or proves too long.
    /// - Parameters:
    ///   - size: The greatest number of bytes to read.
    ///   - longest: The length of the longest line, in bytes.
    ///   - body: Called with each line, without its line break; with nil if it is too long. It returns whether more are
    ///     wanted.
    /// - Returns: Whether there is such a table.
    @discardableResult
    func readLines(
        of table: DailyTable, upTo size: Int, longest: Int, _ body: (ArraySlice<UInt8>?) -> Bool
    ) -> Bool {
        guard let file = try? BoundedFile(opening: path + "/" + table.name, followsLink: false), file.isRegular
        else { return false }
        var lines = LineSplitter(longest: longest)
        var (left, isWanted) = (size, true)
        while left > 0, isWanted, let piece = try? file.read(upTo: min(Self.pieceSize, left), timeout: 0),
            !piece.isEmpty
        {
            left -= piece.count
            lines.add(piece) { line in isWanted = isWanted && body(line) }
        }
        return true
    }

    /// Returns the tables, the newest day first. Other files are not listed.
    func tables() -> [DailyTable] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var tables: [DailyTable] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if let table = DailyTable(name: name) { tables.append(table) }
        }
        return tables.sorted(by: >)
    }

    /// Puts aside a file that is not a table of this version, so that rows of two kinds are never in one file.
    private func prepare(_ table: DailyTable, _ files: inout Opened) throws(POSIXError) {
        guard !files.checked.contains(table), try Self.isRegular(table, files.folder) else { return }
        let file = try openTable(table, files.folder)
        defer { _ = Glibc.close(file) }
        switch try TableInspection.content(of: file, header: table.header) {
        case .table: return
        case .beginning:
            guard ftruncate(file, 0) == 0 else { throw POSIXError(errno: errno) }
            return
        case .other: break
        }
        for number in 1...100 {
            let aside = table.asideName(number)
            var status = stat()
            guard unsafe fstatat(files.folder, aside, &status, AT_SYMLINK_NOFOLLOW) != 0 else { continue }
            guard unsafe renameat(files.folder, table.name, files.folder, aside) == 0 else {
                throw POSIXError(errno: errno)
            }
            return
        }
        throw POSIXError(.EEXIST)
    }

    private func openTable(_ table: DailyTable, _ folder: Int32) throws(POSIXError) -> Int32 {
        // The file is checked first, because merely opening a device can have an effect.
        _ = try Self.isRegular(table, folder)
        let file = unsafe openat(folder, table.name, O_RDWR | O_APPEND | O_CREAT | Self.flags, 0o644)
        guard file >= 0 else { throw POSIXError(errno: errno == ELOOP ? EEXIST : errno) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = Glibc.close(file)
            throw POSIXError(.EEXIST)
        }
        return file
    }

    /// Returns whether a table exists.
    /// - Throws: EEXIST if another kind of file has its name.
    private static func isRegular(_ table: DailyTable, _ folder: Int32) throws(POSIXError) -> Bool {
        var status = stat()
        guard unsafe fstatat(folder, table.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return false }
            throw POSIXError(errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EEXIST) }
        return true
    }

    /// Returns the size of a table in bytes; nil if it is not a regular file.
    private static func size(of table: DailyTable, _ folder: Int32) -> Int? {
        var status = stat()
        guard unsafe fstatat(folder, table.name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    private func problem(_ reason: Int32) -> Problem {
        Problem(sentence: "The folder \(path.sanitized()) cannot be written to: \(POSIXError(errno: reason).reason).")
    }
}
