import Testing

@testable import Handoff
@testable import Readings

@Suite("A rate meter")
struct RateMeterTests {
    private func meter(rate: Double, seconds: Double) -> (RateMeter, MonotonicTime) {
        var meter = RateMeter()
        var time = MonotonicTime(nanoseconds: 0)
        for total in 0...UInt64(rate * seconds) {
            time = MonotonicTime(nanoseconds: 0) + Double(total) / rate
            meter.record(total: total, at: time)
        }
        return (meter, time)
    }

    @Test("a rate meter measures the rate of regular events", arguments: [0.5, 4, 29.97])
    func measures(rate: Double) {
        let (meter, now) = meter(rate: rate, seconds: 20)
        #expect(abs(meter.rate(at: now) - rate) < 0.01 * rate)
    }

    @Test("the measured rate falls when events cease")
    func falls() {
        let (meter, now) = meter(rate: 15, seconds: 20)
        #expect(meter.rate(at: now + 10) <= 0.1)
    }

    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func meter(_ samples: [(Double, UInt64)]) -> RateMeter {
        var meter = RateMeter()
        for (seconds, total) in samples { meter.record(total: total, at: start + seconds) }
        return meter
    }

    @Test("the measured rate is that since the last sample before the newest four seconds")
    func window() {
        // One event a second for ten seconds, then three.
        let totals: [UInt64] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 19, 22]
        let samples = totals.enumerated().map { (Double($0), $1) }
        #expect(abs(meter(samples).rate(at: start + 14) - 2.6) < 1e-9)
    }

    @Test(
        "the measured rate is that of the newest samples, and falls after two intervals without an event",
        arguments: [
            // Events that are rarer than the window.
            ([(0, 1), (10, 2), (20, 3)], 20, 0.1),
            // A sample less than an eighth of a second after the last one is not counted.
            ([(0, 0), (0.0625, 1)], 0.0625, 0), ([(0, 0), (0.125, 1)], 0.125, 8),
            ([(0, 0), (1, 1), (2, 2)], 4, 1), ([(0, 0), (1, 1), (2, 2)], 4.5, 0.4),
            // Two of the shortest times between samples.
            ([(0, 0), (0.125, 10)], 0.375, 80), ([(0, 0), (0.125, 10)], 0.625, 2),
            ([(0, 5), (1, 5)], 1, 0),
        ] as [([(Double, UInt64)], Double, Double)])
    func rates(samples: [(Double, UInt64)], seconds: Double, rate: Double) {
        #expect(meter(samples).rate(at: start + seconds) == rate)
    }

    @Test("the measured rate is 0 until it is known")
    func unknown() {
        var meter = RateMeter()
        #expect(meter.rate(at: .now()) == 0)
        meter.record(total: 1, at: .now())
        #expect(meter.rate(at: .now()) == 0)
    }
}
