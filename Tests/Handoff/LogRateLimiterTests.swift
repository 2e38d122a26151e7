import Testing

@testable import Handoff

@Suite("Log rate limiter")
struct LogRateLimiterTests {
    private let start = MonotonicTime.now()

    @Test("a repeated line is logged once, and again after another line")
    func once() {
        var budget = LogRateLimiter()
        #expect(budget.lines(for: "gone", at: start) == ["gone"])
        #expect(budget.lines(for: "gone", at: start + 1).isEmpty)
        #expect(budget.lines(for: "back", at: start + 2) == ["back"])
        #expect(budget.lines(for: "gone", at: start + 3) == ["gone"])
    }

    @Test("a repeated event is logged each time, up to twenty times a minute")
    func events() {
        var budget = LogRateLimiter()
        let told = (0..<1000).flatMap { budget.lines(for: "SIGHUP", isEvent: true, at: start + Double($0) / 1000) }
        #expect(told == Array(repeating: "SIGHUP", count: 20))
        #expect(
            budget.lines(for: "SIGHUP", isEvent: true, at: start + 61) == [
                "980 lines like these were left out.", "SIGHUP",
            ])
    }

    @Test("at most twenty lines a minute are logged, and the others are counted")
    func bound() {
        var budget = LogRateLimiter()
        let told = (0..<100).flatMap { budget.lines(for: "line \($0)", at: start + Double($0) / 10) }
        #expect(told == (0..<20).map { "line \($0)" })
        #expect(budget.lines(for: "later", at: start + 61) == ["80 lines like these were left out.", "later"])
    }
}
