import Testing

@testable import Handoff
@testable import Readings

@Suite("Ticks")
struct TickerTests {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)

    /// Returns the times of the readings at a capture rate, by the ticker's rules.
    private func readings(rate: Double, capture: Double, seconds: Double) -> [Double] {
        var ticker = Ticker(rate: rate, start: start)
        var frame = 0
        var published: [Double] = []
        while true {
            let arrival = start + Double(frame) / capture
            let deadline = ticker.deadline
            let now = min(arrival, deadline)
            guard now - start < seconds else { return published }
            if ticker.isOverdue(at: now) {
                ticker.serveOverdue(at: now)
                published.append(now - start)
            }
            if arrival <= deadline {
                frame += 1
                if ticker.isDue(at: now) {
                    ticker.serve(at: now)
                    published.append(now - start)
                }
            }
        }
    }

    @Test(
        "a ticker keeps its rate over a minute, whatever the capture rate",
        arguments: [1, 2, 3.9, 4, 4.1, 5, 7.5, 15, 29.97, 30, 60], [1, 4, 10])
    func count(capture: Double, rate: Double) {
        #expect(abs(readings(rate: rate, capture: capture, seconds: 60).count - Int(rate * 60)) <= 1)
    }

    @Test("ticks do not drift: each reading comes within its own tick", arguments: [7.5, 15, 29.97])
    func drift(capture: Double) {
        for (tick, time) in readings(rate: 4, capture: capture, seconds: 600).enumerated() {
            #expect(time >= Double(tick) * 0.25 - 1e-6 && time < Double(tick + 1) * 0.25)
        }
    }

    @Test("a tick that is served is due again at the start of the next one")
    func due() {
        var ticker = Ticker(rate: 4, start: start)
        #expect(ticker.isDue(at: start))
        ticker.serve(at: start)
        #expect(!ticker.isDue(at: start + 0.249))
        #expect(ticker.isDue(at: start + 0.25))
    }

    @Test("a tick is overdue at its end if it was not served")
    func overdue() {
        var ticker = Ticker(rate: 4, start: start)
        #expect(ticker.deadline == start + 0.25)
        #expect(!ticker.isOverdue(at: start + 0.249))
        #expect(ticker.isOverdue(at: start + 0.25))
        ticker.serve(at: start)
        #expect(ticker.deadline == start + 0.5)
        #expect(!ticker.isOverdue(at: start + 0.25))
    }

    @Test("serving an overdue tick leaves the current one to be served by its frame")
    func overdueServed() {
        var ticker = Ticker(rate: 4, start: start)
        ticker.serveOverdue(at: start + 0.25)
        #expect(ticker.isDue(at: start + 0.25))
        #expect(ticker.deadline == start + 0.5)
    }

    @Test("serving an earlier tick does not make a served one due again")
    func backwards() {
        var ticker = Ticker(rate: 4, start: start)
        ticker.serve(at: start + 0.5)
        ticker.serve(at: start)
        #expect(!ticker.isDue(at: start + 0.5))
        ticker.serveOverdue(at: start)
        #expect(!ticker.isDue(at: start + 0.75))
    }

    @Test("ticks missed while the machine slept are not made up for")
    func sleep() {
        var ticker = Ticker(rate: 4, start: start)
        ticker.serve(at: start)
        let morning = start + 3600
        #expect(ticker.isOverdue(at: morning))
        ticker.serveOverdue(at: morning)
        #expect(!ticker.isOverdue(at: morning))
    }
}
