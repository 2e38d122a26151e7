import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Untrusted
import V4L2

/// The camera's controls, and the lock for measuring.
extension WebApp {
    func listControls(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let document = Document(key: "/api/controls", version: "\(shared.controls.revision)") {
            JSONText.data(of: shared.controls.value)
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `PUT /api/controls/{name}` with `{"value": ...}`. null sets the default.
    func setControl(_ name: Substring, _ request: HTTPRequest) async throws -> HTTPResponse {
        let change = try await request.json([String: ConfigValue?].self, orRefuse: .badControl)
        guard change.count == 1, let value = change["value"] else { throw HTTPError.badControl }
        let state = try await submit(.set(name: String(name), value))
        guard let control = state.controls.first(where: { $0.name == name }) else { throw HTTPError.notFound }
        return .json(ControlDocument(control, among: state.controls))
    }

    /// Handles `POST /api/controls/reset`, which sets every control to its default.
    func resetControls() async throws -> HTTPResponse { .json(try await submit(.reset)) }

    /// Handles `POST /api/controls/lock`, which turns the automatic controls off as soon as they have settled.
    func lockControls() async throws -> HTTPResponse { .json(try await submit(.lock), status: .accepted) }

    /// Handles `DELETE /api/controls/lock`, which turns the automatic controls on again.
    func unlockControls() async throws -> HTTPResponse { .json(try await submit(.unlock)) }

    /// Handles `POST /api/controls/exposure`, which sets the exposure once, as readings show its effect.
    func setExposure() async throws -> HTTPResponse { .json(try await submit(.setExposure), status: .accepted) }

    /// Handles `DELETE /api/controls/exposure`, which stops that. The best values so far stay.
    func cancelExposure() async throws -> HTTPResponse { .json(try await submit(.cancelExposure)) }

    private func submit(_ command: ControlCommand) async throws(HTTPError) -> ControlState {
        let requests = shared.controlRequests
        switch await withAbandonment(after: timeout, { await requests.submit(command) }) {
        case .success(let state): return state
        case .failure(let refusal): throw HTTPError(refusal)
        case nil:
            throw HTTPError.unavailable(
                code: "slow-camera", "The camera has not answered yet. /api/controls shows the result later.")
        }
    }
}

extension HTTPError {
    fileprivate static let badControl = badRequest(
        code: "bad-control",
        "Send a JSON object with a value and nothing else, such as {\"value\": 128}; null sets the default.")

    fileprivate init(_ refusal: ControlRequests.Refusal) {
        switch refusal {
        case .noCamera:
            self = .unavailable(
                code: "no-camera",
                "No camera is in use: the test pattern has nothing to lock and no exposure. /api/reading says why there is no camera."
            )
        case .unknown(let message): self = .notFound(code: "control-not-found", message)
        case .badValue(let message): self = .badRequest(code: "bad-control", message)
        case .refused(let message): self = .conflict(code: "control-refused", message)
        case .unavailable:
            self = .unavailable(
                code: "unavailable", "Swatchcam is stopping, or there are too many requests. Try again later.")
        }
    }
}
