import Capture
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Untrusted
import V4L2

/// Listing and choosing cameras.
extension WebApp {
    func listCameras(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let reading = shared.readings.value
        let camera = reading.camera
        let version =
            "\(shared.directory.nodes.revision) \(camera?.id ?? "") \(camera?.device ?? "") \(reading.faults.all)"
        let document = Document(key: "/api/cameras", version: version) {
            JSONText.data(of: cameraList(current: camera, faults: reading.faults))
        }
        return try await send(document, to: principal.key, request)
    }

    /// Returns the document of `GET /api/cameras`.
    /// - Parameters:
    ///   - camera: The camera in use, or the one that Swatchcam waits for.
    ///   - faults: The faults of its frames.
    func cameraList(current camera: Reading.Camera?, faults: FrameFaults) -> some Encodable {
        CameraList(shared.directory.nodes.value, current: camera, faults)
    }

    /// Handles `POST /api/camera` with `{"id": ...}`: a stable id, a device node, a part of a name, or `test-pattern`.
    func chooseCamera(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await submit(.device(request.text("id", orRefuse: .badCamera)))
    }

    /// Handles `POST /api/camera/toggle`, which selects the next camera of the list.
    func toggleCamera() async throws -> HTTPResponse { try await submit(.next) }

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

private struct CameraList: Encodable {
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

    init(_ nodes: [DeviceNode], current: Reading.Camera?, _ faults: FrameFaults) {
        // A Raspberry Pi has the nodes of its image processor even without a camera.
        cameras = nodes.filter { $0.role != .imageProcessor }.map { node in
            Camera(
                id: node.id, name: node.name, device: node.path, driver: node.driver, bus: node.bus,
                problem: node.problem?.description,
                // Its id may have changed when another camera of the same model was connected.
                chosen: current.map { $0.device.map { $0 == node.path } ?? ($0.id == node.id) } ?? false)
        }
        self.faults = faults.all.map { Fault(kind: $0.kind.rawValue, frames: $0.count) }
    }
}
