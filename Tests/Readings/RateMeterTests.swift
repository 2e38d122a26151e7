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
            meter.note(total: total, at: time)
        }
        return (meter, time)
    }

    @Test("a rate meter measures the rate of regular events", arguments: [0.5, 1, 4, 15, 29.97, 60])
    func measures(rate: Double) {
        let (meter, now) = meter(rate: rate, seconds: 20)
        #expect(abs(meter.rate(at: now) - rate) < 0.01 * rate)
    }

    @Test("the measured rate falls when events cease")
    func falls() {
        let (meter, now) = meter(rate: 15, seconds: 20)
        #expect(meter.rate(at: now + 10) <= 0.1)
    }

    @Test("the measured rate is 0 until it is known")
    func start() {
        var meter = RateMeter()
        #expect(meter.rate(at: .now()) == 0)
        meter.note(total: 1, at: .now())
        #expect(meter.rate(at: .now()) == 0)
    }
}
