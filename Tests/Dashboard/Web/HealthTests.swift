import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Readings

@Suite("Health")
struct HealthTests {
    @Test(
        "a reading is fresh for three periods of the readings or the frames, and for at least two seconds",
        arguments: [(4, 1.0 / 15, 2.0), (4, 1, 3), (4, 5, 15), (0.5, 1, 6), (60, 1, 3), (4, 0, 2)])
    func freshness(rate: Double, framePeriod: Double, seconds: Double) {
        let health = Health(rate: rate, framePeriod: framePeriod)
        #expect(health.freshness == seconds)
        let now = Date()
        #expect(health.problem(with: .sample.with { $0.time = now - (seconds - 0.1) }, at: now) == nil)
        #expect(health.problem(with: .sample.with { $0.time = now - (seconds + 0.1) }, at: now)?.code == "stale")
    }
}
