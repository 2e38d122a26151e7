import Handoff
import Logging
import Synchronization

/// A logger for events that clients can cause any number of times.
final class RateLimitedLogger: Sendable {
    private let log: Logger
    private let limiter = Mutex(LogRateLimiter())

    init(_ log: Logger) {
        self.log = log
    }

    /// Logs a line, unless it repeats the previous one or there are too many lines.
    func log(_ level: Logger.Level, _ line: String) {
        for line in limiter.withLock({ $0.lines(for: line) }) { log.log(level: level, "\(line)") }
    }
}
