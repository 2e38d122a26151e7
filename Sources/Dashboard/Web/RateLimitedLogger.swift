import Handoff
import Logging
import Synchronization

/// A log for what clients can bring about as often as they like.
final class RateLimitedLogger: Sendable {
    private let log: Logger
    private let limiter = Mutex(LogRateLimiter())

    init(_ log: Logger) {
        self.log = log
    }

    /// Tells it, unless it was told just now, or too much was.
    func tell(_ level: Logger.Level, _ line: String) {
        for line in limiter.withLock({ $0.lines(for: line) }) { log.log(level: level, "\(line)") }
    }
}
