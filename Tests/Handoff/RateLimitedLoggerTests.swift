import Logging
import TestSupport
import Testing

@testable import Handoff

@Suite("Rate-limited logger")
struct RateLimitedLoggerTests {
    private let clock = ManualClock()
    private let recorder = LogRecorder()

    private func logger(remembering memory: Int = 1) -> RateLimitedLogger {
        RateLimitedLogger(recorder.log, remembering: memory, clocks: clock.clocks)
    }

    /// Logs lines, and returns those that reach the log.
    private func logged(_ lines: [String], by logger: RateLimitedLogger, isEvent: Bool = false) -> [String] {
        let before = recorder.lines.count
        for line in lines { logger.log(.info, line, isEvent: isEvent) }
        return Array(recorder.lines[before...])
    }

    @Test("a repeated line is logged once, and again after another line")
    func once() {
        #expect(logged(["gone", "gone", "back", "gone"], by: logger()) == ["gone", "back", "gone"])
    }

    @Test("a line is that of the module that made the logger")
    func source() {
        _ = logged(["gone"], by: logger())
        #expect(recorder.sources == ["HandoffTests"])
    }

    @Test("recent lines are not logged again before they are forgotten, and the last never twice in a row")
    func memory() {
        let logger = logger(remembering: 2)
        #expect(logged(["a", "b", "a", "c", "b", "a"], by: logger) == ["a", "b", "c", "a"])
        logger.forget()
        #expect(logged(["a", "c", "a"], by: logger) == ["c", "a"])
    }

    @Test("a repeated event is logged each time, up to twenty times a minute")
    func events() {
        let logger = logger()
        let signals = Array(repeating: "SIGHUP", count: 1000)
        #expect(logged(signals, by: logger, isEvent: true) == Array(repeating: "SIGHUP", count: 20))
        clock.advance(by: 60)
        #expect(logged(["SIGHUP"], by: logger, isEvent: true) == ["980 similar lines were omitted.", "SIGHUP"])
    }

    @Test("each minute has its own count of lines")
    func minutes() {
        let logger = logger()
        let counts = [100.0, 59, 1, 59, 1].map { wait in
            clock.advance(by: wait)
            return logged((0..<30).map { "\(clock.now), \($0)" }, by: logger).count { !$0.hasSuffix("omitted.") }
        }
        #expect(counts == [20, 0, 20, 0, 20])
    }

    @Test("no count is logged if no line was omitted")
    func nothingOmitted() {
        let logger = logger()
        #expect(logged(["one"], by: logger) == ["one"])
        clock.advance(by: 100)
        #expect(logged(["two"], by: logger) == ["two"])
    }

    @Test("at most twenty lines a minute are logged, and the others are counted")
    func bound() {
        let logger = logger()
        #expect(logged((0..<100).map { "line \($0)" }, by: logger) == (0..<20).map { "line \($0)" })
        clock.advance(by: 60)
        #expect(logged(["later"], by: logger) == ["80 similar lines were omitted.", "later"])
    }

    @Test("the 21st line of a minute is logged if it is repeated in the next minute")
    func repeatedAfterOmission() {
        let logger = logger()
        #expect(logged((1...21).map { "line \($0)" }, by: logger).last == "line 20")
        clock.advance(by: 60)
        #expect(logged(["line 21"], by: logger).last == "line 21")
    }

    @Test("a problem is logged when it begins or changes, and again after it has ended")
    func problem() {
        let logger = logger()
        let changes = ["full", "full", "gone", "gone", nil, nil, "gone"].map { logger.report($0) }
        #expect(changes == [true, false, true, false, true, false, true])
        #expect(recorder.lines == ["full", "gone", "gone"])
    }
}
