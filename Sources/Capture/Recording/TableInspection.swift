import FoundationEssentials
import Glibc
import Untrusted

/// The examination and repair of a table before rows are added to it.
enum TableInspection {
    /// The kind of content of a file.
    enum Content {
        case table
        /// No complete header of a table, because a power cut interrupted the writing; or nothing.
        case beginning
        /// Something that this version has not written.
        case other
    }

    /// The length of the longest line, comments included, in bytes.
    private static let longestLine = 1 << 17

    /// Cuts off a partial last line, which a power cut has left.
    /// - Parameter file: The file, open for reading and writing.
    /// - Returns: The size of the file, in bytes.
    /// - Throws: The system's error; EEXIST if the last line is longer than any line of a table.
    static func repair(_ file: Int32) throws(POSIXError) -> Int {
        let size = try size(of: file)
        let start = max(0, size - longestLine)
        let end = try bytes(of: file, start..<size)
        if end.last == UInt8(ascii: "\n") || size == 0 { return size }
        // Within a new file, the first line may be cut off.
        guard let last = end.lastIndex(of: UInt8(ascii: "\n")) ?? (start == 0 ? -1 : nil) else {
            throw POSIXError(.EEXIST)
        }
        let whole = start + last + 1
        guard ftruncate(file, off_t(whole)) == 0 else { throw POSIXError(errno: errno) }
        return whole
    }

    /// Examines the first lines of a file.
    /// - Parameter header: The header of a table, with its line break.
    static func content(of file: Int32, header: String) throws(POSIXError) -> Content {
        var rest = try bytes(of: file, 0..<min(size(of: file), longestLine))[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[...end]
            rest = rest[(end + 1)...]
            if line.first != UInt8(ascii: "#") { return line.elementsEqual(header.utf8) ? .table : .other }
        }
        let isBeginning =
            rest.first ?? UInt8(ascii: "#") == UInt8(ascii: "#") || rest.allSatisfy { $0 == 0 }
            || header.utf8.starts(with: rest)
        return isBeginning ? .beginning : .other
    }

    private static func size(of file: Int32) throws(POSIXError) -> Int {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw POSIXError(errno: errno) }
        return Int(status.st_size)
    }

    private static func bytes(of file: Int32, _ range: Range<Int>) throws(POSIXError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    file, buffer.baseAddress.map { unsafe $0 + count }, range.count - count,
                    off_t(range.lowerBound + count))
            }
            guard read >= 0 else {
                if errno == EINTR { continue }
                throw POSIXError(errno: errno)
            }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }
}
