import Files
import FoundationEssentials
import Glibc

/// The examination and repair of a table before rows are added to it.
enum TableInspection {
    /// The kind of content of a file.
    enum Content {
        case table
        /// An incomplete header, which a power cut has left, or nothing.
        case beginning
        /// Something that this version has not written.
        case other
    }

    /// The maximum length of a line, in bytes.
    static let maxLineLength = 1 << 17

    /// Cuts off a partial last line, which a power cut has left.
    /// - Parameter file: The file, open for reading and writing.
    /// - Returns: The size of the file, in bytes.
    /// - Throws: The system's error; EEXIST if the last line is longer than any line of a table.
    static func repair(_ file: borrowing FileDescriptor) throws(POSIXError) -> Int {
        let size = try file.status.size
        let start = max(0, size - maxLineLength)
        let end = try file.read(start..<size)
        if end.last == UInt8(ascii: "\n") || size == 0 { return size }
        // Within a new file, the first line may be cut off.
        guard let last = end.lastIndex(of: UInt8(ascii: "\n")) ?? (start == 0 ? -1 : nil) else {
            throw POSIXError(.EEXIST)
        }
        let whole = start + last + 1
        try file.truncate(to: whole)
        return whole
    }

    /// Examines the first line of a file.
    /// - Parameter header: The header of a table, with its line break.
    static func content(of file: borrowing FileDescriptor, header: String) throws(POSIXError) -> Content {
        let size = try file.status.size
        let start = try file.read(0..<min(size, maxLineLength))
        if let end = start.firstIndex(of: UInt8(ascii: "\n")) {
            return start[...end].elementsEqual(header.utf8) ? .table : .other
        }
        let isBeginning = start.allSatisfy { $0 == 0 } || header.utf8.starts(with: start)
        return isBeginning && size <= maxLineLength ? .beginning : .other
    }
}
