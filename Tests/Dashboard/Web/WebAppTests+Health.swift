import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

/// Tests of the health check.
extension WebAppTests {
    @Test(
        "the program is healthy while readings are fresh and have a colour",
        arguments: [Reading.State.live, .testPattern])
    func healthy(state: Reading.State) async throws {
        // Three periods are far longer than the answer can take, so this reading stays fresh.
        config.update { $0.effective.readings.rate = 0.001 }
        readings.publish(Reading.sample.with { ($0.state, $0.time) = (state, .now) })
        let response = await get("/healthz")
        #expect(response.statusCode == .ok)
        #expect(
            try await response.bodyData
                == Data(#"{"pictures":{"encoded":0,"passedOn":0,"viewers":0},"status":"ok"}"#.utf8))
    }

    @Test("the program is not healthy if the newest reading is old")
    func stale() async throws {
        readings.publish(Reading.sample.with { $0.time = .now - 3600 })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(try await error(in: response)["code"] == "stale")
    }

    @Test("the program is healthy if a slow camera's newest reading is two frame periods old")
    func slowCamera() async throws {
        app.shared.demand.framePeriod = 3600
        readings.publish(Reading.sample.with { $0.time = .now - 7200 })
        #expect(await get("/healthz").statusCode == .ok)
    }

    @Test("health reports the reason for a missing colour")
    func unhealthy() async throws {
        readings.publish(Reading.noCamera.with { $0.time = .now })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(
            try await error(in: response) == ["code": "no-camera", "message": "There is no camera. Connect one."])
    }
}
