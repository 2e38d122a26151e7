import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Readings

@Suite("Health")
struct HealthTests {
    @Test("an old reading is reported with its age, and a missing colour with its reason")
    func problems() {
        let health = Health(rate: 4, framePeriod: 0)
        let now = Date(timeIntervalSince1970: 1_000_000)
        let old = health.problem(with: .sample.with { $0.time = now - 9.04 }, at: now)
        #expect(old?.status == .serviceUnavailable)
        #expect(old?.message == "The newest reading is 9.0 s old.")
        let future = health.problem(with: .sample.with { $0.time = now + 9 }, at: now)
        #expect(future?.code == "stale")
        let dark = health.problem(with: .noCamera.with { $0.message = nil }, at: now)
        #expect((dark?.code, dark?.message) == ("no-camera", "There is no colour: no-camera."))
    }

    @Test("if the rate of readings is 0, no reading is too old")
    func noRate() {
        #expect(Health(rate: 0, framePeriod: 1).freshness == .infinity)
    }

    @Test("a reading of exactly the greatest permitted age counts as old")
    func limit() {
        let now = Date(timeIntervalSince1970: 1_000_000)
        #expect(Health(rate: 4, framePeriod: 0).problem(with: .sample.with { $0.time = now - 2 }, at: now) != nil)
    }

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
