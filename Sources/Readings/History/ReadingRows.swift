/// Turns readings into the rows of a table, as they come.
package struct ReadingRows: Sendable {
    private struct Frame: Equatable {
        var camera: String?
        var sequence: Int
    }

    private var averager: IntervalAverager?
    private var frame: Frame?

    /// - Parameter period: The time that a row averages, in seconds, more than 0; nil for a row for each reading.
    package init(every period: Double? = nil) {
        averager = period.map { IntervalAverager(length: $0) }
    }

    /// Adds a reading. One without a colour, or of the same frame as the one before, does not count.
    /// - Returns: The row that is now complete; nil if there is none.
    package mutating func add(_ reading: Reading) -> ReadingSummary? {
        guard let summary = ReadingSummary(reading) else { return nil }
        let frame = reading.frame.map { Frame(camera: reading.camera?.id, sequence: Int($0.sequence)) }
        guard frame == nil || frame != self.frame else { return nil }
        self.frame = frame
        return averager == nil ? summary : averager?.add(summary)
    }

    /// Returns the row that is not complete; nil if there is none.
    package mutating func finish() -> ReadingSummary? { averager?.finish() }
}
