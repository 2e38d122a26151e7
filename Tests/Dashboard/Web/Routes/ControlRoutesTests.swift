import FlyingFox
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Control routes", .timeLimit(.minutes(20)))
struct ControlRoutesTests: RouteTests {
    let app: WebApp

    init() throws {
        let shared = try SharedState.sample()
        shared.controls.publish(
            ControlState(camera: Reading.sample.camera, controls: Control.webcam(automatic: true)))
        app = try WebApp.sample(shared, timeout: .seconds(3600))
    }

    /// Answers one request in place of the control thread, on a separate thread because it waits.
    private func answer(
        _ result: @escaping @Sendable (ControlCommand) -> Result<ControlState, ControlRequests.Refusal>
    ) {
        let requests = shared.controlRequests
        Thread.detachNewThread {
            while requests.waker.wait(until: .now() + 3600) {
                guard let request = requests.take() else { continue }
                request.reply(result(request.command))
                return
            }
        }
    }

    @Test("the response lists the controls, the automatic controls that are on, and no lock")
    func list() async throws {
        let json = try await json(get("/api/controls"))
        #expect((json["controls"] as? [Any])?.count == 6)
        #expect(json["automatics"] as? [String] == ["auto_exposure", "white_balance_automatic"])
        #expect(json["lock"] is NSNull)
    }

    @Test(
        "a control, even one called exposure, is set to a value or to its default",
        arguments: [
            ("brightness", #"{"value": 7}"#, ConfigValue?.some(.integer(7))),
            ("brightness", #"{"value": true}"#, .boolean(true)),
            ("brightness", #"{"value": "Manual Mode"}"#, .string("Manual Mode")),
            ("brightness", #"{"value": null}"#, nil),
            ("exposure", #"{"value": 7}"#, .integer(7)),
        ])
    func set(name: String, body: String, value: ConfigValue?) async throws {
        let state = ControlState(camera: nil, controls: [.sample(7, name)])
        answer { command in
            guard case .set(name, let written) = command, written == value else {
                return .failure(.refused("\(command)"))
            }
            return .success(state)
        }
        #expect(try await json(send(.PUT, "/api/controls/" + name, body))["name"] as? String == name)
    }

    @Test(
        "setting a control requires a value",
        arguments: ["", "{}", "[]", "7", #"{"values": 7}"#, #"{"value": 7, "x": 1}"#])
    func bad(body: String) async throws {
        #expect(try await refusal(send(.PUT, "/api/controls/brightness", body)) == "400 bad-control")
    }

    @Test(
        "a refused command is answered with the reason",
        arguments: [
            (ControlRequests.Refusal.noCamera, "503 no-camera"), (.unknown("x"), "404 control-not-found"),
            (.badValue("x"), "400 bad-control"), (.refused("x"), "409 control-refused"),
            (.unavailable, "503 unavailable"),
        ])
    func refused(reason: ControlRequests.Refusal, expected: String) async throws {
        answer { _ in .failure(reason) }
        #expect(try await refusal(send(.PUT, "/api/controls/gain", #"{"value": 1}"#)) == expected)
    }

    @Test(
        "a camera that takes too long for a command is not waited for",
        arguments: [(HTTPMethod.PUT, "/api/controls/gain"), (.POST, "/api/controls/reset")])
    func slow(method: HTTPMethod, path: String) async throws {
        // Nobody answers in place of the control thread.
        let impatient = try WebApp.sample(shared, timeout: .zero)
        let response = await impatient.handleRequest(
            .sample(method, path, headers: ["Content-Type": "application/json"], body: Data(#"{"value": 1}"#.utf8)))
        #expect(try await refusal(response) == "503 slow-camera")
        shared.controlRequests.stop()
    }

    @Test(
        "the controls can be locked, unlocked and reset, and the exposure set",
        arguments: [
            (HTTPMethod.POST, "/api/controls/lock", HTTPStatusCode.accepted), (.DELETE, "/api/controls/lock", .ok),
            (.POST, "/api/controls/reset", .ok), (.POST, "/api/controls/exposure", .accepted),
            (.DELETE, "/api/controls/exposure", .ok),
        ])
    func lock(method: HTTPMethod, path: String, status: HTTPStatusCode) async throws {
        let state = shared.controls.value
        answer { _ in .success(state) }
        #expect(await send(method, path, "{}").statusCode == status)
    }
}
