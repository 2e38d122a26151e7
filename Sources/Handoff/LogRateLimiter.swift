/// A limit that keeps repeated failures from filling the disk: so many lines a minute, none twice in a row.
package struct LogRateLimiter {
    private static let linesPerMinute = 20

    private var last: String?
    private var minuteBegan = MonotonicTime.now()
    private var told = 0
    private var leftOut = 0

    package init() {}

    /// Returns what to log for a line: nothing, or the line, after the number of lines that were left out if there were
    /// any.
    /// - Parameter isEvent: Whether the line reports something that happened again, and not a state that lasts.
    package mutating func lines(for line: String, isEvent: Bool = false, at now: MonotonicTime = .now()) -> [String] {
        guard isEvent || line != last else { return [] }
        last = line
        var lines: [String] = []
        if now - minuteBegan >= 60 {
            if leftOut > 0 { lines.append("\(leftOut) lines like these were left out.") }
            (minuteBegan, told, leftOut) = (now, 0, 0)
        }
        guard told < Self.linesPerMinute else {
            leftOut += 1
            return []
        }
        told += 1
        return lines + [line]
    }
}
