import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State
import Storage
import V4L2

/// Listing and choosing cameras.
struct CameraRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender
    /// The maximum time that a request waits for the camera.
    let timeout: Duration

    var routes: [Route] {
        [
            Route(.GET, "/api/cameras", "The cameras that are connected", listCameras)
                .described("listCameras", .ok("The cameras, including those that cannot be opened.", "CameraList")),
            Route(.POST, "/api/camera", "Use another camera") {
                try await submit(.device($0.text("id", orRefuse: .badCamera)))
            }
            .described(
                "chooseCamera",
                "The choice of a camera is remembered for the next start; the test pattern lasts until the program "
                    + "ends.",
                takes: .json("CameraChoice"),
                .ok("The camera that is now in use.", "ChosenCamera"),
                .accepted(
                    "The camera has not answered yet; `/api/reading` reports the outcome. `camera` is null.",
                    "ChosenCamera"),
                .refusal(404, "No camera, or more than one, matches."),
                .refusal(409, "It cannot be opened. The current camera stays in use.")),
            Route(.POST, "/api/camera/toggle", "Use the next camera in the list") { _ in try await submit(.next) }
                .described(
                    "toggleCamera",
                    .ok("The camera that is now in use.", "ChosenCamera"),
                    .accepted(
                        "The camera has not answered yet; `/api/reading` reports the outcome. `camera` is null.",
                        "ChosenCamera"),
                    .refusal(409, "There is no other camera, or none that can be opened.")),
        ]
    }

    private func listCameras(_ call: Call) async throws -> HTTPResponse {
        let reading = shared.readings.value
        let camera = reading.camera
        let version =
            "\(shared.directory.nodes.revision) \(camera?.id ?? "") \(camera?.device ?? "") \(reading.faults.all)"
        return try await documents.json(to: call, version: version) {
            JSONText.data(of: CameraList(shared, current: camera, reading.faults))
        }
    }

    private func submit(_ command: CameraCommand) async throws(HTTPError) -> HTTPResponse {
        let requests = shared.cameraRequests
        switch await withAbandonment(after: timeout, { await requests.submit(command) }) {
        case .success(let camera): return .json(ChosenCamera(camera: camera, problem: shared.chosenCamera.problem))
        case .failure(let refusal): throw HTTPError(refusal)
        case nil: return .json(ChosenCamera(), status: .accepted)
        }
    }
}

private struct ChosenCamera: Encodable {
    /// Null if it has not answered yet.
    @Nullable var camera: Reading.Camera?
    /// Why the choice will be forgotten when the program ends; null if it is kept.
    @Nullable var problem: String?
}

extension HTTPError {
    fileprivate static let badCamera = badRequest(
        code: "bad-camera",
        "Send a JSON object with an id and nothing else, such as {\"id\": \"/dev/video0\"}; /api/cameras lists the ids."
    )

    fileprivate init(_ refusal: CameraRequests.Refusal) {
        switch refusal {
        case .notFound(let message): self = .notFound(code: "camera-not-found", message)
        case .unusable(let message): self = .conflict(code: "camera-unusable", message)
        case .unavailable:
            self = .unavailable(
                code: "unavailable",
                "Swatchcam is stopping, or there are too many requests for a camera. Try again later.")
        }
    }
}

/// The document of `/api/cameras`.
struct CameraList: Encodable {
    struct Camera: Encodable {
        var id: String
        var name: String
        var device: String
        var driver: String
        var bus: String
        /// The reason why the camera cannot be opened; null if it can.
        @Nullable var problem: String?
        /// Whether it is the camera in use, or the one that Swatchcam waits for.
        var chosen: Bool
    }

    struct Fault: Encodable {
        var kind: String
        var frames: UInt64
    }

    var cameras: [Camera]
    /// The kinds of faults that frames of the camera in use have had since it was first opened, with their numbers.
    var faults: [Fault]

    /// - Parameters:
    ///   - current: The camera in use, or the one that Swatchcam waits for.
    ///   - faults: The faults of its frames.
    init(_ shared: SharedState, current: Reading.Camera?, _ faults: FrameFaults) {
        // A Raspberry Pi has the nodes of its image processor even without a camera.
        cameras = shared.directory.nodes.value.filter { $0.role != .imageProcessor }.map { node in
            Camera(
                id: node.id, name: node.name, device: node.path, driver: node.driver, bus: node.bus,
                problem: node.problem?.description,
                // Its id may have changed when another camera of the same model was connected.
                chosen: current.map { $0.device.map { $0 == node.path } ?? ($0.id == node.id) } ?? false)
        }
        self.faults = faults.all.map { Fault(kind: $0.kind.rawValue, frames: $0.count) }
    }
}
