import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import State
import V4L2

/// The camera's controls, and the lock for measuring.
struct ControlRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender
    /// The maximum time that a request waits for the camera.
    let timeout: Duration

    var routes: [Route] {
        [
            Route(.GET, "/api/controls", "The camera's controls") {
                try await documents.json(to: $0, version: "\(shared.controls.revision)") {
                    JSONWriter.data(shared.controls.value)
                }
            }
            .described("listControls", .ok("The controls, the lock, and the exposure that was set.", "Controls")),
            Route(
                .PUT, "/api/controls/{name}",
                parameters: [
                    Parameter(
                        "name", "The name of the control in `/api/controls`.",
                        JSONSchema.string(pattern: "^[a-z0-9_]+$").with("maxLength", 64), example: "brightness")
                ],
                "Set a control"
            ) { try await setControl(String($0.name), $0) }
            .described(
                "setControl", takes: .json("ControlChange"),
                .ok("The control, as it was read back.", "Control"),
                .refusal(404, "The camera has no such control."),
                .refusal(
                    405, "`reset` is not a control.",
                    headers: [.init("Allow", "The methods that this address supports.")]),
                .refusal(409, "The camera did not accept the value.")),
            command(.POST, "/api/controls/reset", "Set every control to its default", .reset)
                .described(
                    "resetControls",
                    .ok(
                        "The controls, as they were read back. A notice about `controls` in the readings names those "
                            + "that the camera refused to set.",
                        "Controls")),
            command(.POST, "/api/controls/lock", "Lock for measuring", .lock, status: .accepted)
                .described(
                    "lockControls",
                    .accepted(
                        "The automatic controls are locked as soon as they have settled, or after 10 seconds; "
                            + "`/api/controls` reports the outcome.",
                        "Controls"),
                    .refusal(409, "The exposure is being set.")),
            command(.DELETE, "/api/controls/lock", "Release the automatic controls", .unlock)
                .described(
                    "unlockControls",
                    .ok(
                        "The controls, as they were read back. A notice about `controls` in the readings names those "
                            + "that the camera refused to set.",
                        "Controls")),
            command(.POST, "/api/controls/exposure", "Set the exposure once", .setExposure, status: .accepted)
                .described(
                    "setExposure",
                    "Turns automatic exposure and gain off, and sets the exposure so that the 99th percentile of the "
                        + "region's brightest channel is 80 % of the range, in linear light. The gain is at its "
                        + "minimum, unless even the longest exposure is too dark. The exposure then stays.",
                    .accepted(
                        "The exposure is being set, for 15 seconds at most; `/api/controls` reports the outcome.",
                        "Controls"),
                    .refusal(
                        409,
                        "The camera has no control for its exposure or refused a value, or the controls are about to "
                            + "be locked.")),
            command(.DELETE, "/api/controls/exposure", "Stop setting the exposure", .cancelExposure)
                .described(
                    "cancelExposure",
                    "The best values so far stay. If none was measured, the controls are as they were before.",
                    .ok("The controls, as they were read back.", "Controls")),
            // Many cameras have a control of this name, too.
            Route(.PUT, "/api/controls/exposure", "Set the control called exposure") {
                try await setControl("exposure", $0)
            }
            .described(
                "setControlCalledExposure", takes: .json("ControlChange"),
                .ok("The control, as it was read back.", "Control"),
                .refusal(404, "The camera has no such control."),
                .refusal(409, "The camera did not accept the value.")),
        ]
    }

    private func command(
        _ method: HTTPMethod, _ path: String, _ summary: String, _ command: ControlCommand,
        status: HTTPStatusCode = .ok
    ) -> Route {
        Route(method, path, summary) { _ in .json(try await submit(command), status: status) }
    }

    private func setControl(_ name: String, _ call: Call) async throws -> HTTPResponse {
        let change = try await call.json([String: ConfigValue?].self, orRefuse: .badControl)
        guard change.count == 1, let value = change["value"] else { throw HTTPError.badControl }
        let state = try await submit(.set(name: name, value))
        guard let control = state.controls.first(where: { $0.name == name }) else { throw HTTPError.notFound }
        return .json(ControlDocument(control, among: state.controls))
    }

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
