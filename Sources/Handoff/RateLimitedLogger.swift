package import Logging
import Synchronization

/// A logger for what may happen any number of times. It omits lines that it has logged recently, so that a failure that
/// persists is logged once, and what exceeds 20 lines a minute, so that failures cannot fill the disk.
package final class RateLimitedLogger: Sendable {
    private let logger: Logger
    private let limiter: Mutex<LogRateLimiter>

    /// - Parameter memory: The number of recent lines that are not logged again.
    package init(_ logger: Logger, remembering memory: Int = 1) {
        self.logger = logger
        limiter = Mutex(LogRateLimiter(memory: memory))
    }

    /// Logs a line, unless it is one of the recent lines or there are too many.
    /// - Parameter isEvent: Whether the line reports a new occurrence, rather than a state that persists, and may repeat
    ///   a recent line.
    package func log(_ level: Logger.Level, _ line: String, isEvent: Bool = false) {
        for line in limiter.withLock({ $0.lines(for: line, isEvent: isEvent, at: .now()) }) {
            logger.log(level: level, "\(line)")
        }
    }

    /// Forgets the recent lines, so that they are logged again. Only the last is still not logged twice in a row.
    package func forget() { limiter.withLock { $0.forget() } }
}

/// The lines to log. A line beyond the limit is not remembered, so that it is logged if it is repeated in the next
/// minute.
struct LogRateLimiter {
    private static let maxLinesPerMinute = 20

    private let memory: Int
    /// The last line that was logged.
    private var last: String?
    /// The last lines that were logged and have not been forgotten.
    private var recent: [String] = []
    private var minuteBegan = MonotonicTime.now()
    private var logged = 0
    private var omitted = 0

    init(memory: Int = 1) {
        self.memory = memory
    }

    /// Returns the lines to log for a line: none, or the line itself, preceded by the number of omitted lines, if any.
    mutating func lines(for line: String, isEvent: Bool = false, at now: MonotonicTime) -> [String] {
        guard isEvent || line != last && !recent.contains(line) else { return [] }
        var lines: [String] = []
        if now - minuteBegan >= 60 {
            if omitted > 0 { lines.append("\(omitted) similar lines were omitted.") }
            (minuteBegan, logged, omitted) = (now, 0, 0)
        }
        guard logged < Self.maxLinesPerMinute else {
            omitted += 1
            return []
        }
        (last, logged) = (line, logged + 1)
        recent = recent.suffix(memory - 1) + [line]
        return lines + [line]
    }

    mutating func forget() { recent = [] }
}
