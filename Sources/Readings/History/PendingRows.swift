package import FoundationEssentials
import Synchronization

/// The rows of the history that wait to be written to a folder.
///
/// If they cannot be written for a long time, the oldest are dropped.
package final class PendingRows: Sendable {
    /// The maximum number of rows that wait: a day of them, if a row averages 10 s.
    package static let capacity = 8640

    /// Some rows, with the number by which they can be removed.
    package struct Batch: Sendable {
        /// The number of the first row. Numbers increase by one from row to row, and are not used again.
        package var first: Int
        package var rows: [ReadingSummary]
    }

    private struct State {
        /// Nil while nothing is recorded.
        var averager: IntervalAverager?
        var rows = RingBuffer<ReadingSummary>(capacity: PendingRows.capacity)

        mutating func append(_ row: ReadingSummary?) {
            if let row { rows.append(row) }
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The rows that are complete.
    package var batch: Batch {
        let (first, rows) = state.withLock { $0.rows.elements() }
        return Batch(first: first, rows: rows)
    }

    /// Begins to gather rows, or changes the time that each row averages.
    /// - Parameter period: The time that a row averages, in seconds, more than 0.
    package func begin(every period: Double) {
        state.withLock { state in
            state.append(state.averager?.finish())
            state.averager = IntervalAverager(length: period)
        }
    }

    /// Gathers no more rows, and drops those that wait.
    package func end() {
        state.withLock { state in
            state.averager = nil
            state.rows.remove(before: .max)
        }
    }

    /// Adds a reading.
    package func add(_ summary: ReadingSummary) {
        state.withLock { $0.append($0.averager?.add(summary)) }
    }

    /// Completes the row whose time has passed.
    package func complete(at now: Date) { state.withLock { $0.append($0.averager?.finish(at: now)) } }

    /// Completes the last row early.
    package func finish() { state.withLock { $0.append($0.averager?.finish()) } }

    /// Removes the rows before the one with this number.
    package func remove(before number: Int) { state.withLock { $0.rows.remove(before: number) } }
}
