import Configuration
import Readings

/// The room in a day's table of marks, of which no source of rows can use up what belongs to the others.
///
/// A quarter belongs to clients and the rest to the program. In both parts, a source may use no more than it leaves to
/// the others. What was written before, in this run or in an earlier one, counts.
struct MarkBudget {
    /// The reason why a row must not be written.
    enum Refusal {
        /// The source has used its share.
        case share
        /// The part that the source belongs to is used up.
        case part
    }

    /// The length of the longest row of settings, in bytes.
    private static let longestRow = 1 << 17

    let table: DailyTable
    /// The number of bytes that clients may still use.
    private var leftForClients: Int
    /// The number of bytes that the program may still use.
    private var leftForProgram: Int
    /// The number of bytes in use, by source.
    private var used: [Mark.Source: Int] = [:]
    /// Whether a row of the program was refused.
    private(set) var hasRefusedProgram = false

    /// Counts the rows of a table.
    /// - Parameter limit: The greatest size of the table, in bytes.
    init(of table: DailyTable, in folder: TableFolder, limit: Int) {
        self.table = table
        leftForClients = limit / 4
        leftForProgram = limit - limit / 4
        let isThere = folder.readLines(of: table, upTo: limit, longest: Self.longestRow) { line in
            let source = line.map { MarkCSV.source(of: String(decoding: $0, as: UTF8.self)) } ?? .settings
            count((line?.count ?? Self.longestRow) + 2, from: source)
            return true
        }
        if !isThere { count(table.header.utf8.count, from: .settings) }
    }

    /// Counts a row that is about to be written, unless there is no room for it.
    /// - Parameter size: The length of the row with its line break, in bytes.
    /// - Returns: The reason why it must not be written; nil if it may.
    mutating func refusal(of size: Int, from source: Mark.Source) -> Refusal? {
        let left = (source.isClient ? leftForClients : leftForProgram) - size
        if used[source, default: 0] + size <= left {
            count(size, from: source)
            return nil
        }
        if !source.isClient { hasRefusedProgram = true }
        // The same row from a new source would still be written.
        return size <= left ? .share : .part
    }

    private mutating func count(_ size: Int, from source: Mark.Source) {
        used[source, default: 0] += size
        if source.isClient { leftForClients -= size } else { leftForProgram -= size }
    }
}

extension Config.History {
    /// The greatest size of all tables of readings together, and of all tables of marks, in bytes. Marks have a tenth.
    var maxSizes: [DailyTable.Content: Int] { [.readings: maxSize * 900_000, .marks: maxSize * 100_000] }

    /// The greatest size of a day's table of marks, in bytes: a tenth of the room for marks, but 2 MB at most.
    var maxMarksSizeOfDay: Int { min(maxSize * 10_000, 2_000_000) }
}
