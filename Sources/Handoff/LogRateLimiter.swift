/// A limiter that keeps repeated failures from filling the disk: it allows a number of lines a minute, and no line twice
/// in a row.
package struct LogRateLimiter {
    private static let linesPerMinute = 20

    private var last: String?
    private var minuteBegan = MonotonicTime.now()
    private var logged = 0
    private var omitted = 0

    package init() {}

    /// Returns what to log for a line: nothing, or the line, preceded by the number of lines omitted before it, if any.
    /// - Parameter isEvent: Whether the line reports a new occurrence, rather than a state that persists.
    package mutating func lines(for line: String, isEvent: Bool = false, at now: MonotonicTime = .now()) -> [String] {
        guard isEvent || line != last else { return [] }
        last = line
        var lines: [String] = []
        if now - minuteBegan >= 60 {
            if omitted > 0 { lines.append("\(omitted) similar lines were omitted.") }
            (minuteBegan, logged, omitted) = (now, 0, 0)
        }
        guard logged < Self.linesPerMinute else {
            omitted += 1
            return []
        }
        logged += 1
        return lines + [line]
    }
}
