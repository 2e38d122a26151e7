import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Readings

@Suite("Health check")
struct HealthCheckTests {
    @Test("an old reading is reported with its age, and a missing colour with its reason")
    func problems() {
        let check = HealthCheck(rate: 4, framePeriod: 0)
        let now = Date(timeIntervalSince1970: 1_000_000)
        let old = check.problem(with: .sample.with { $0.time = now - 9.04 }, at: now)
        #expect(old?.status == .serviceUnavailable)
        #expect(old?.message == "The newest reading is 9.0 s old.")
        let future = check.problem(with: .sample.with { $0.time = now + 9 }, at: now)
        #expect(future?.code == "stale")
        let dark = check.problem(with: .noCamera.with { $0.message = nil }, at: now)
        #expect((dark?.code, dark?.message) == ("no-camera", "There is no colour: no-camera."))
    }

    @Test(
        "a reading without a colour is reported under its state",
        arguments: ["starting", "no-camera", "denied", "busy", "no-signal", "lost", "unsupported", "failed"])
    func states(code: String) throws {
        let state = try #require(Reading.State(rawValue: code))
        let now = Date()
        let reading = Reading.noCamera.with { ($0.state, $0.time) = (state, now) }
        #expect(HealthCheck(rate: 4, framePeriod: 0).problem(with: reading, at: now)?.code == code)
    }

    @Test("if the rate of readings is 0, no reading is too old")
    func noRate() {
        #expect(HealthCheck(rate: 0, framePeriod: 1).staleAge == .infinity)
    }

    @Test("a reading of exactly the greatest permitted age counts as old")
    func limit() {
        let now = Date(timeIntervalSince1970: 1_000_000)
        #expect(HealthCheck(rate: 4, framePeriod: 0).problem(with: .sample.with { $0.time = now - 2 }, at: now) != nil)
    }

    @Test(
        "a reading is fresh for three periods of the readings or the frames, and for at least two seconds",
        arguments: [(4, 1.0 / 15, 2.0), (4, 1, 3), (4, 5, 15), (0.5, 1, 6), (60, 1, 3), (4, 0, 2)])
    func staleAge(rate: Double, framePeriod: Double, seconds: Double) {
        let check = HealthCheck(rate: rate, framePeriod: framePeriod)
        #expect(check.staleAge == seconds)
        let now = Date()
        #expect(check.problem(with: .sample.with { $0.time = now - (seconds - 0.1) }, at: now) == nil)
        #expect(check.problem(with: .sample.with { $0.time = now - (seconds + 0.1) }, at: now)?.code == "stale")
    }
}
