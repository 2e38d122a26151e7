/// A limiter that keeps repeated failures from filling the disk with log lines: it allows 20 lines a minute, and the
/// same line twice in a row only if it reports a new event. A line beyond the 20 is not remembered, so that it is logged
/// if it is repeated in the next minute.
package struct LogRateLimiter {
    private static let linesPerMinute = 20

    /// The last line that was logged.
    private var last: String?
    private var minuteBegan = MonotonicTime.now()
    private var logged = 0
    private var omitted = 0

    package init() {}

    /// Returns the lines to log for a line: none, or the line itself, preceded by the number of omitted lines, if any.
    /// - Parameter isEvent: Whether the line reports a new occurrence, rather than a state that persists.
    package mutating func lines(for line: String, isEvent: Bool = false, at now: MonotonicTime = .now()) -> [String] {
        guard isEvent || line != last else { return [] }
        var lines: [String] = []
        if now - minuteBegan >= 60 {
            if omitted > 0 { lines.append("\(omitted) similar lines were omitted.") }
            (minuteBegan, logged, omitted) = (now, 0, 0)
        }
        guard logged < Self.linesPerMinute else {
            omitted += 1
            return []
        }
        (last, logged) = (line, logged + 1)
        return lines + [line]
    }
}
