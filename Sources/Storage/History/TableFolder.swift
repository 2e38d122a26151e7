import Files
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

    /// The open folder, and the file in it whose lock keeps other programs out.
    fileprivate struct Opened: ~Copyable {
        let folder: FileDescriptor
        let lock: FileLock
        /// The tables whose header was found to be that of this version.
        var checked: Set<DailyTable> = []
    }

    private static let lockName = ".swatchcam.lock"
    private static let pieceSize = 1 << 18

    let path: String
    private let onPutAside: @Sendable (String) -> Void
    private let opened = Mutex<Opened?>(nil)

    /// - Parameter onPutAside: Receives a sentence about each file that was put aside, with its new name.
    init(_ path: String, onPutAside: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.path, self.onPutAside) = (path, onPutAside)
    }

    var isOpen: Bool { opened.withLock { $0 != nil } }

    /// Opens the folder, unless it is open, and keeps other programs from it.
    func open() throws(Problem) {
        do throws(POSIXError) {
            try opened.withLock { opened throws(POSIXError) in
                guard opened == nil else { return }
                let folder = try FileDescriptor(opening: path, flags: O_DIRECTORY)
                let lock = try FileLock(folder.open(Self.lockName, flags: O_CREAT | O_NOFOLLOW, mode: 0o644))
                opened = Opened(folder: folder, lock: lock)
            }
        } catch {
            guard error.code == .EAGAIN else { throw problem(error) }
            throw Problem(
                sentence: "\(path.sanitized()) is in use by another Swatchcam. Give each a folder of its own.")
        }
    }

    /// Closes the folder, so that the path is opened again the next time: the folder may have been deleted, or another
    /// disk may be mounted there.
    func close() { opened.withLock { $0 = nil } }

    /// Adds lines to a table, and waits until they are on the disk. If that fails, none of them is kept. A new table
    /// begins with its header.
    func append(_ lines: [String], to table: DailyTable) throws(Problem) {
        do throws(POSIXError) {
            try opened.withLock { opened throws(POSIXError) in
                guard opened != nil else { throw POSIXError(.EBADF) }
                if let name = try opened?.prepare(table) {
                    onPutAside(
                        "\(path.sanitized())/\(table.name) is not a table of this version of Swatchcam. It was renamed to "
                            + "\(name).")
                }
                try opened?.append(lines, to: table)
            }
        } catch {
            close()
            throw error.code == .EEXIST
                ? Problem(sentence: "\(path.sanitized())/\(table.name) is not a file of Swatchcam. Move it away.")
                : problem(error)
        }
    }

    /// Deletes the tables of the oldest days.
    ///
    /// Marks have a limit of their own, so that they never cost the readings of a day. What probes take is part of the
    /// room for readings, of which they have a limit, too.
    /// - Parameters:
    ///   - count: The maximum number of days to keep, at least 1.
    ///   - maxSizes: The maximum size of all tables of each kind to keep, in bytes. The marks of a day are deleted with
    ///     its readings.
    ///   - current: The day that is kept in any case. It need not be the last one, because the clock may be wrong.
    /// - Returns: The names of the deleted files.
    func prune(to count: Int, maxSizes: [DailyTable.Content: Int], besides current: String) -> [String] {
        opened.withLock { $0?.prune(to: count, maxSizes: maxSizes, besides: current) ?? [] }
    }

    /// Returns the size of a table in bytes; 0 if there is none.
    func size(of table: DailyTable) -> Int {
        opened.withLock { $0?.size(of: table) ?? 0 }
    }

    /// Reads a table in pieces, line by line, until it ends or proves too long.
    /// - Parameters:
    ///   - maxSize: The maximum number of bytes to read.
    ///   - maxLength: The maximum length of a line, in bytes.
    ///   - body: Called with each line, without its line break; with nil if it is too long. It returns whether more are
    ///     wanted.
    /// - Returns: Whether there is such a table.
    @discardableResult
    func readLines(
        of table: DailyTable, upTo maxSize: Int, maxLength: Int, _ body: (ArraySlice<UInt8>?) -> Bool
    ) -> Bool {
        guard let file = try? FileDescriptor(opening: path + "/" + table.name, flags: O_NOFOLLOW),
            (try? file.status)?.isRegular == true
        else { return false }
        var lines = LineSplitter(maxLength: maxLength)
        var (left, isWanted) = (maxSize, true)
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
        (try? FileDescriptor(opening: path, flags: O_DIRECTORY))?.tables ?? []
    }

    private func problem(_ error: POSIXError) -> Problem {
        Problem(sentence: "The folder \(path.sanitized()) cannot be written to: \(error.reason).")
    }
}

extension FileDescriptor {
    /// The tables in this folder, the newest day first. Other files are not listed.
    fileprivate var tables: [DailyTable] { ((try? names()) ?? []).compactMap(DailyTable.init).sorted(by: >) }
}

extension TableFolder.Opened {
    /// Adds lines to a table, and waits until they are on the disk.
    fileprivate mutating func append(_ lines: [String], to table: DailyTable) throws(POSIXError) {
        let file = try open(table)
        let size = try TableInspection.repair(file)
        let text = ((size == 0 ? [table.header] : []) + lines).joined()
        do throws(POSIXError) {
            try file.write(Data(text.utf8))
            try file.sync()
            if size == 0 { try folder.syncNames() }
        } catch {
            // The rows are written again later, and none may appear twice.
            try? file.truncate(to: size)
            if size == 0 { try? folder.remove(table.name) }
            throw error
        }
        checked.insert(table)
    }

    fileprivate func prune(to count: Int, maxSizes: [DailyTable.Content: Int], besides current: String) -> [String] {
        let files = folder.tables.compactMap { table in size(of: table).map { (table: table, size: $0) } }
        let days = Dictionary(grouping: files, by: \.table.day)
        var (left, room) = (count - 1, maxSizes)
        func take(_ table: DailyTable, _ size: Int) {
            room[table.content, default: 0] -= size
            // A table of probes that is beyond their limit is deleted, and takes no room.
            if table.content == .probes, room[.probes, default: 0] >= 0 { room[.readings, default: 0] -= size }
        }
        for (table, size) in days[current] ?? [] { take(table, size) }
        var deleted: [String] = []
        for (day, files) in days.sorted(by: { $0.key > $1.key }) where day != current {
            left -= 1
            for (table, size) in files { take(table, size) }
            for (table, _) in files {
                // All older tables are deleted too, even if they are smaller.
                let isBeyond = [.readings, table.content].contains { room[$0, default: 0] < 0 }
                guard left < 0 || isBeyond, (try? folder.remove(table.name)) != nil else { continue }
                deleted.append(table.name)
            }
        }
        return deleted
    }

    /// Returns the size of a table in bytes; nil if it is not a regular file.
    fileprivate func size(of table: DailyTable) -> Int? {
        let status = try? folder.status(of: table.name)
        return status?.isRegular == true ? status?.size : nil
    }

    /// Puts aside a file that is not a table of this version, so that rows of two kinds are never in one file.
    /// - Returns: The new name of the file; nil if it was not put aside.
    fileprivate func prepare(_ table: DailyTable) throws(POSIXError) -> String? {
        guard !checked.contains(table), try isRegular(table) else { return nil }
        let file = try open(table)
        switch try TableInspection.content(of: file, header: table.header) {
        case .table: return nil
        case .beginning:
            try file.truncate(to: 0)
            return nil
        case .other: return try folder.putAside(table.name, as: table.asideName)
        }
    }

    private func open(_ table: DailyTable) throws(POSIXError) -> FileDescriptor {
        // The file is checked first, because merely opening a device can have an effect.
        _ = try isRegular(table)
        do throws(POSIXError) {
            let file = try folder.open(table.name, flags: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, mode: 0o644)
            guard try file.status.isRegular else { throw POSIXError(.EEXIST) }
            return file
        } catch {
            throw error.code == .ELOOP ? POSIXError(.EEXIST) : error
        }
    }

    /// Returns whether a table exists.
    /// - Throws: EEXIST if another kind of file has its name.
    private func isRegular(_ table: DailyTable) throws(POSIXError) -> Bool {
        do throws(POSIXError) {
            guard try folder.status(of: table.name).isRegular else { throw POSIXError(.EEXIST) }
            return true
        } catch {
            guard error.code == .ENOENT else { throw error }
            return false
        }
    }
}

/// A splitter that divides a file, read in pieces, into lines.
struct LineSplitter {
    private let maxLength: Int
    /// The beginning of a line whose end has not been found yet.
    private var rest: [UInt8] = []
    /// Whether the line is too long, and its end is yet to come.
    private var isSkipping = false

    /// - Parameter maxLength: The maximum length of a line, in bytes.
    init(maxLength: Int) {
        self.maxLength = maxLength
    }

    /// Adds a piece of the file.
    /// - Parameter body: Called with each line that is complete, without its line break; with nil if it is too long.
    mutating func add(_ piece: [UInt8], _ body: (ArraySlice<UInt8>?) -> Void) {
        var left = piece[...]
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest.isEmpty ? left[..<end] : (rest + left[..<end])[...]
            body(isSkipping || line.count > maxLength ? nil : line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            rest.removeAll(keepingCapacity: true)
            isSkipping = false
            left = left[(end + 1)...]
        }
        if !isSkipping { rest += left }
        if rest.count > maxLength {
            rest.removeAll()
            isSkipping = true
        }
    }
}
