import FlyingFox
import Foundation
import Logging
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
    private let sources: WebSources
    private let app: WebApp

    init() throws {
        sources = try .sample()
        sources.controls.publish(
            ControlState(camera: Reading.sample.camera, controls: Control.webcam(automatic: true)))
        app = WebApp(
            sources: sources, pages: try Pages(templates: nil, resources: nil),
            broadcaster: WebSocketBroadcaster(),
            timeout: .seconds(3600), log: Logger(label: "test"))
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: String = "{}"
    ) async throws -> (status: HTTPStatusCode, json: [String: Any]) {
        let response = await app.handleRequest(
            .sample(method, path, headers: ["Content-Type": "application/json"], body: Data(body.utf8)))
        let json = try JSONSerialization.jsonObject(with: try await response.bodyData)
        return (response.statusCode, json as? [String: Any] ?? [:])
    }

    /// Answers one request in place of the control thread, on a separate thread because it waits.
    private func answer(
        _ result: @escaping @Sendable (ControlCommand) -> Result<ControlState, ControlRequests.Refusal>
    ) {
        let requests = sources.controlRequests
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
        let state = sources.controls.value
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

    @Test(
        "setting a control requires a value",
        arguments: ["", "{}", "[]", "7", #"{"values": 7}"#, #"{"value": 7, "x": 1}"#])
    func bad(body: String) async throws {
        #expect(try await send(.PUT, "/api/controls/brightness", body).status == .badRequest)
    }

    @Test(
        "a refused command is answered with the reason",
        arguments: [
            (ControlRequests.Refusal.noCamera, HTTPStatusCode.serviceUnavailable), (.unknown("x"), .notFound),
            (.badValue("x"), .badRequest), (.refused("x"), .conflict), (.unavailable, .serviceUnavailable),
        ])
    func refused(refusal: ControlRequests.Refusal, status: HTTPStatusCode) async throws {
        answer { _ in .failure(refusal) }
        #expect(try await send(.PUT, "/api/controls/gain", #"{"value": 1}"#).status == status)
    }

    @Test(
        "the controls can be locked, unlocked and reset",
        arguments: [
            (HTTPMethod.POST, "/api/controls/lock", HTTPStatusCode.accepted), (.DELETE, "/api/controls/lock", .ok),
            (.POST, "/api/controls/reset", .ok),
        ])
    func lock(method: HTTPMethod, path: String, status: HTTPStatusCode) async throws {
        let state = sources.controls.value
        answer { _ in .success(state) }
        #expect(try await send(method, path).status == status)
    }
}
