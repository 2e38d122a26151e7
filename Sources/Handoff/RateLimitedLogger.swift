package import Logging
import Synchronization

/// A logger for events that may happen any number of times. It omits lines that it has logged recently, so that a
/// failure that persists is logged once. It also omits lines beyond 20 a minute, so that failures cannot fill the disk.
package final class RateLimitedLogger: Sendable {
    private struct State {
        var last: String?
        /// The last lines that were logged and have not been forgotten. A line beyond the limit is not among them, so
        /// that it is logged if it is repeated in the next minute.
        var recent: [String] = []
        /// The problem that was last reported; nil if it has ended.
        var problem: String?
        var minuteBegan: MonotonicTime
        var logged = 0
        var omitted = 0
    }

    private static let maxLinesPerMinute = 20

    private let logger: Logger
    /// The module whose lines these are, as swift-log names it.
    private let source: String
    private let memory: Int
    private let clocks: Clocks
    private let state: Mutex<State>

    /// - Parameters:
    ///   - memory: The number of recent lines that are not logged again.
    ///   - file: A file of the module whose lines these are.
    package init(
        _ logger: Logger, remembering memory: Int = 1, clocks: Clocks = Clocks(), file: String = #fileID
    ) {
        source = String(file.prefix { $0 != "/" })
        self.logger = logger
        self.memory = memory
        self.clocks = clocks
        state = Mutex(State(minuteBegan: clocks.now()))
    }

    /// Logs a line, unless it is one of the recent lines or there are too many.
    /// - Parameter isEvent: Whether the line reports a new occurrence, rather than a state that persists, and may
    ///   repeat a recent line.
    package func log(_ level: Logger.Level, _ line: String, isEvent: Bool = false) {
        for line in state.withLock({ lines(for: line, isEvent: isEvent, &$0) }) {
            logger.log(level: level, "\(line)", source: source)
        }
    }

    /// Logs a problem when it begins and when it changes.
    /// - Parameter problem: A sentence; nil if the problem has ended, so that the next one is logged in any case.
    /// - Returns: Whether the problem has begun, changed or ended.
    @discardableResult
    package func report(_ problem: String?, at level: Logger.Level = .warning) -> Bool {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew, let problem { log(level, problem, isEvent: true) }
        return isNew
    }

    /// Forgets the recent lines, so that they are logged again. Only the last line is still not logged twice in a row.
    package func forget() { state.withLock { $0.recent = [] } }

    /// Returns the lines to log for a line: none, or the line itself, preceded by the number of omitted lines, if any.
    private func lines(for line: String, isEvent: Bool, _ state: inout State) -> [String] {
        guard isEvent || line != state.last && !state.recent.contains(line) else { return [] }
        let now = clocks.now()
        var lines: [String] = []
        if now - state.minuteBegan >= 60 {
            if state.omitted > 0 { lines.append("\(state.omitted) similar lines were omitted.") }
            (state.minuteBegan, state.logged, state.omitted) = (now, 0, 0)
        }
        guard state.logged < Self.maxLinesPerMinute else {
            state.omitted += 1
            return []
        }
        (state.last, state.logged) = (line, state.logged + 1)
        state.recent = state.recent.suffix(memory - 1) + [line]
        return lines + [line]
    }
}
