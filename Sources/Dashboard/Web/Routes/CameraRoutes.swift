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
            JSONWriter.data(CameraList(shared, current: camera, reading.faults))
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

struct ChosenCamera: JSONFields {
    /// Nil if it has not answered yet.
    var camera: Reading.Camera?
    var problem: String?

    static let fields: JSONFieldList<Self> = [
        .value("camera", .component("Camera").orNull) { $0.camera },
        .value(
            "problem", .string.orNull, "Why the change will be forgotten when the program ends; null if it is kept."
        ) { $0.problem },
    ]
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
struct CameraList: JSONFields {
    private let cameras: [(node: DeviceNode, isChosen: Bool)]
    private let faults: FrameFaults

    /// - Parameters:
    ///   - current: The camera in use, or the one that Swatchcam waits for.
    ///   - faults: The faults of its frames.
    init(_ shared: SharedState, current: Reading.Camera?, _ faults: FrameFaults) {
        // A Raspberry Pi has the nodes of its image processor even without a camera.
        cameras = shared.directory.nodes.value.filter { $0.role != .imageProcessor }.map { node in
            // Its id may have changed when another camera of the same model was connected.
            (node, current.map { $0.device.map { $0 == node.path } ?? ($0.id == node.id) } ?? false)
        }
        self.faults = faults
    }

    static let fields: JSONFieldList<Self> = [
        .objects(
            "cameras", "",
            [
                .value("bus", .string) { $0.node.bus },
                .value("chosen", .boolean, "Whether it is the one in use, or the one that Swatchcam waits for.") {
                    $0.isChosen
                },
                .value("device", .string) { $0.node.path },
                .value("driver", .string) { $0.node.driver },
                .value("id", .nonEmptyString) { $0.node.id },
                .value("name", .string) { $0.node.name },
                .value("problem", .string.orNull, "Why it cannot be opened; null if it can.") {
                    $0.node.problem?.description
                },
            ]
        ) { $0.cameras },
        .objects(
            "faults",
            "How many frames of the camera in use could not be used since it was first opened, by the kind of fault; "
                + "kinds that did not occur are left out.",
            [
                .value("frames", .integer(from: 1)) { $0.count },
                .value(
                    "kind", .words(of: FrameFault.Kind.self),
                    "`size`: another than the negotiated one; `color-space`: a JPEG image whose colours are neither "
                        + "Y'CbCr nor grey, or of more than 8 bits; `not-jpeg`: no JPEG image, although the format "
                        + "promises one; `damaged`: wrong data, or data of two frames; `too-short`: the picture is cut "
                        + "off; `empty`: no bytes; `flagged`: the driver marks it as damaged; `stale`: from before the "
                        + "camera was opened; `repeated`: delivered before."
                ) { $0.kind.rawValue },
            ]
        ) { $0.faults.all },
    ]
}
