import FlyingFox
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("Control routes", .timeLimit(.minutes(20)))
struct ControlRoutesTests {
    private let shared: SharedState

    init() throws {
        shared = try .sample()
        shared.controls.publish(
            ControlState(camera: Reading.sample.camera, controls: Control.webcam(automatic: true)))
    }

    /// - Parameter timeout: The time after which the app no longer waits for the camera.
    private func send(
        _ method: HTTPMethod, _ path: String, _ body: String = "{}", timeout: Duration = .seconds(3600)
    ) async throws -> (status: HTTPStatusCode, json: [String: Any]) {
        let app = WebApp(
            shared: shared, pages: try Pages(templates: nil, resources: nil), broadcaster: WebSocketBroadcaster(),
            timeout: timeout)
        let response = await app.handleRequest(
            .sample(method, path, headers: ["Content-Type": "application/json"], body: Data(body.utf8)))
        let json = try JSONSerialization.jsonObject(with: try await response.bodyData)
        return (response.statusCode, json as? [String: Any] ?? [:])
    }

    private func code(in json: [String: Any]) -> String? { (json["error"] as? [String: String])?["code"] }

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
        let (status, json) = try await send(.GET, "/api/controls")
        #expect(status == .ok)
        #expect((json["controls"] as? [Any])?.count == 6)
        #expect(json["automatics"] as? [String] == ["auto_exposure", "white_balance_automatic"])
        #expect(json["lock"] is NSNull)
    }

    @Test(
        "a control is set to a value or to its default",
        arguments: [
            (#"{"value": 7}"#, ConfigValue?.some(.integer(7))), (#"{"value": true}"#, .boolean(true)),
            (#"{"value": "Manual Mode"}"#, .string("Manual Mode")), (#"{"value": null}"#, nil),
        ])
    func set(body: String, value: ConfigValue?) async throws {
        let state = shared.controls.value
        answer { command in
            guard case .set("brightness", let written) = command, written == value else {
                return .failure(.refused("\(command)"))
            }
            return .success(state)
        }
        let (status, json) = try await send(.PUT, "/api/controls/brightness", body)
        #expect(status == .ok)
        #expect(json["name"] as? String == "brightness")
    }

    @Test("a control called exposure is set as any other")
    func exposure() async throws {
        let control = Control.sample(7, "exposure", value: .number(7))
        answer { command in
            guard case .set("exposure", .integer(7)) = command else { return .failure(.refused("\(command)")) }
            return .success(ControlState(camera: nil, controls: [control]))
        }
        let (status, json) = try await send(.PUT, "/api/controls/exposure", #"{"value": 7}"#)
        #expect(status == .ok)
        #expect(json["name"] as? String == "exposure")
    }

    @Test(
        "setting a control requires a value",
        arguments: ["", "{}", "[]", "7", #"{"values": 7}"#, #"{"value": 7, "x": 1}"#])
    func bad(body: String) async throws {
        let (status, json) = try await send(.PUT, "/api/controls/brightness", body)
        #expect(status == .badRequest)
        #expect(code(in: json) == "bad-control")
    }

    @Test(
        "a refused command is answered with the reason",
        arguments: [
            (ControlRequests.Refusal.noCamera, HTTPStatusCode.serviceUnavailable, "no-camera"),
            (.unknown("x"), .notFound, "control-not-found"), (.badValue("x"), .badRequest, "bad-control"),
            (.refused("x"), .conflict, "control-refused"), (.unavailable, .serviceUnavailable, "unavailable"),
        ])
    func refused(refusal: ControlRequests.Refusal, status: HTTPStatusCode, code: String) async throws {
        answer { _ in .failure(refusal) }
        let answer = try await send(.PUT, "/api/controls/gain", #"{"value": 1}"#)
        #expect(answer.status == status)
        #expect(self.code(in: answer.json) == code)
    }

    @Test(
        "a camera that takes too long for a command is not waited for",
        arguments: [(HTTPMethod.PUT, "/api/controls/gain"), (.POST, "/api/controls/reset")])
    func slow(method: HTTPMethod, path: String) async throws {
        // Nobody answers in place of the control thread.
        let (status, json) = try await send(method, path, #"{"value": 1}"#, timeout: .zero)
        #expect(status == .serviceUnavailable)
        #expect(code(in: json) == "slow-camera")
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
        #expect(try await send(method, path).status == status)
    }
}
