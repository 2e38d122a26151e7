import Testing

@testable import Handoff

@Suite("Log rate limiter")
struct LogRateLimiterTests {
    private let start = MonotonicTime.now()

    @Test("a repeated line is logged once, and again after another line")
    func once() {
        var limiter = LogRateLimiter()
        #expect(limiter.lines(for: "gone", at: start) == ["gone"])
        #expect(limiter.lines(for: "gone", at: start + 1).isEmpty)
        #expect(limiter.lines(for: "back", at: start + 2) == ["back"])
        #expect(limiter.lines(for: "gone", at: start + 3) == ["gone"])
    }

    @Test("recent lines are not logged again before they are forgotten, and the last never twice in a row")
    func memory() {
        var limiter = LogRateLimiter(memory: 2)
        let logged = ["a", "b", "a", "c", "b", "a"].flatMap { limiter.lines(for: $0, at: start) }
        #expect(logged == ["a", "b", "c", "a"])
        limiter.forget()
        #expect(limiter.lines(for: "a", at: start).isEmpty)
        #expect(["c", "a"].flatMap { limiter.lines(for: $0, at: start) } == ["c", "a"])
    }

    @Test("a repeated event is logged each time, up to twenty times a minute")
    func events() {
        var limiter = LogRateLimiter()
        let logged = (0..<1000).flatMap { limiter.lines(for: "SIGHUP", isEvent: true, at: start + Double($0) / 1000) }
        #expect(logged == Array(repeating: "SIGHUP", count: 20))
        #expect(
            limiter.lines(for: "SIGHUP", isEvent: true, at: start + 61) == [
                "980 similar lines were omitted.", "SIGHUP",
            ])
    }

    @Test("each minute has its own count of lines")
    func minutes() {
        var limiter = LogRateLimiter()
        func logged(_ seconds: Double) -> Int {
            (0..<30).count { !limiter.lines(for: "\(seconds), \($0)", at: start + 100 + seconds).isEmpty }
        }
        #expect(logged(0) == 20)
        #expect(logged(59) == 0)
        #expect(logged(60) == 20)
        #expect(logged(119) == 0)
        #expect(logged(120) == 20)
    }

    @Test("no count is logged if no line was omitted")
    func nothingOmitted() {
        var limiter = LogRateLimiter()
        _ = limiter.lines(for: "one", at: start)
        #expect(limiter.lines(for: "two", at: start + 100) == ["two"])
    }

    @Test("at most twenty lines a minute are logged, and the others are counted")
    func bound() {
        var limiter = LogRateLimiter()
        let logged = (0..<100).flatMap { limiter.lines(for: "line \($0)", at: start + Double($0) / 10) }
        #expect(logged == (0..<20).map { "line \($0)" })
        #expect(limiter.lines(for: "later", at: start + 61) == ["80 similar lines were omitted.", "later"])
    }

    @Test("the 21st line of a minute is logged if it is repeated in the next minute")
    func repeatedAfterOmission() {
        var limiter = LogRateLimiter()
        for number in 1...20 { _ = limiter.lines(for: "line \(number)", at: start) }
        _ = limiter.lines(for: "line 21", at: start + 1)
        #expect(limiter.lines(for: "line 21", at: start + 61).last == "line 21")
    }
}
