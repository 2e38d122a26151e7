package import FoundationEssentials
import Synchronization

/// The rows of the history, and those of the probes, that wait to be written to a folder.
///
/// If they cannot be written for a long time, the oldest are dropped.
package final class PendingRows: Sendable {
    /// The maximum number of rows that wait: a day of them, if a row averages 10 s.
    package static let capacity = 8640
    /// The memory for rows of probes, in bytes: those of several minutes, with all probes and many targets.
    private static let maxProbeBytes = 8 << 20

    /// Some rows, with the number by which they can be removed.
    package struct Batch<Row: Sendable & Equatable>: Sendable, Equatable {
        /// The number of the first row. Numbers increase by one from row to row, and are not used again.
        package var first: Int
        package var rows: [Row]
        /// Whether older rows were dropped.
        package var isIncomplete = false
    }

    private struct State {
        /// Nil while nothing is recorded.
        var averager: IntervalAverager?
        var rows = RingBuffer<ReadingSummary>(capacity: PendingRows.capacity)
        var probes = ProbeRows(maxBytes: PendingRows.maxProbeBytes)

        mutating func append(_ row: ReadingSummary?) {
            guard let row else { return }
            rows.append(row)
            probes.complete(at: row.time)
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The rows that are complete.
    package var batch: Batch<ReadingSummary> {
        let (first, rows) = state.withLock { $0.rows.elements() }
        return Batch(first: first, rows: rows)
    }

    /// The rows of probes that are complete, in the order of their intervals.
    package var probeBatch: Batch<ProbeRow> { state.withLock(\.probes.batch) }

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
            state.probes = ProbeRows(maxBytes: Self.maxProbeBytes)
        }
    }

    /// Adds a reading.
    /// - Parameters:
    ///   - summary: Its summary, with the colours of its probes.
    package func add(_ summary: ReadingSummary, of reading: Reading) {
        state.withLock { state in
            var row = summary
            row.probes = ProbeSums()
            state.append(state.averager?.add(row))
            if state.averager != nil { state.probes.add(summary.probes, of: reading) }
        }
    }

    /// Completes the row whose time has passed.
    package func complete(at now: Date) { state.withLock { $0.append($0.averager?.finish(at: now)) } }

    /// Completes the last row early.
    package func finish() { state.withLock { $0.append($0.averager?.finish()) } }

    /// Removes the rows before the one with this number.
    package func remove(before number: Int) { state.withLock { $0.rows.remove(before: number) } }

    /// Removes the rows of probes before the one with this number.
    package func removeProbes(before number: Int) { state.withLock { $0.probes.remove(before: number) } }
}
