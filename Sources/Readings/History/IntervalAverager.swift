package import FoundationEssentials

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
