package import FoundationEssentials
import Handoff

/// Averages readings over intervals of the clock, whose starts are multiples of their length since 1970.
package struct IntervalAverager: Sendable {
    private let length: Double
    /// The interval that is not complete.
    private var current: ReadingSummary?

    /// - Parameter length: The length of an interval, in seconds, more than 0.
    package init(length: Double) {
        self.length = length
    }

    /// Adds a reading, or several as one.
    /// - Returns: The completed interval if the reading belongs to another one; otherwise nil. If the clock was turned
    ///   back, the completed interval is the later one.
    package mutating func add(_ summary: ReadingSummary) -> ReadingSummary? {
        let start = summary.time.start(ofInterval: length)
        if current?.time == start {
            current?.add(summary)
            return nil
        }
        let complete = current
        current = summary
        current?.time = start
        return complete
    }

    /// Ends the interval, if it does not contain this moment.
    /// - Returns: The interval; nil if it continues, or has no reading.
    package mutating func finish(at now: Date) -> ReadingSummary? {
        current?.time == now.start(ofInterval: length) ? nil : finish()
    }

    /// Ends the interval early.
    /// - Returns: The interval; nil if it has no reading.
    package mutating func finish() -> ReadingSummary? {
        defer { current = nil }
        return current
    }
}

extension Date {
    /// Returns the start of the interval of the clock that contains this moment.
    /// - Parameter length: The length of an interval, in seconds, more than 0. Starts are its multiples since 1970.
    func start(ofInterval length: Double) -> Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / length).rounded(.down) * length)
    }
}

/// Turns readings into the rows of a table, as they come.
package struct ReadingRows: Sendable {
    private struct Frame: Equatable {
        var camera: String?
        var sequence: UInt32
        var time: MonotonicTime
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
        let frame = reading.frame.map { Frame(camera: reading.camera?.id, sequence: $0.sequence, time: $0.time) }
        guard frame == nil || frame != self.frame else { return nil }
        self.frame = frame
        return averager == nil ? summary : averager?.add(summary)
    }

    /// Returns the row that is not complete; nil if there is none.
    package mutating func finish() -> ReadingSummary? { averager?.finish() }
}
