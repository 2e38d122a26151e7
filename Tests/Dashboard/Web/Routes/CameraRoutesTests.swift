import FlyingFox
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("Camera routes", .timeLimit(.minutes(20)))
struct CameraRoutesTests {
    private let shared: SharedState
    private let requests: CameraRequests
    private let app: WebApp
    /// An app that does not wait for the camera.
    private let appWithZeroTimeout: WebApp

    init() throws {
        let shared = try SharedState.sample()
        self.shared = shared
        requests = shared.cameraRequests
        let pages = try Pages(templates: nil, resources: nil)
        func app(timeout: Duration) -> WebApp {
            WebApp(
                shared: shared, pages: pages, broadcaster: WebSocketBroadcaster(), timeout: timeout)
        }
        (self.app, appWithZeroTimeout) = (app(timeout: .seconds(3600)), app(timeout: .zero))
    }

    private func post(
        _ path: String, _ body: String = "", type: String = "application/json", to other: WebApp? = nil
    ) async throws -> (status: HTTPStatusCode, text: String) {
        let response = await (other ?? app).handleRequest(
            .sample(.POST, path, headers: ["Content-Type": type], body: Data(body.utf8)))
        return (response.statusCode, String(decoding: try await response.bodyData, as: UTF8.self))
    }

    /// Answers one request in place of the capture thread, on a separate thread because it waits.
    private func answer(_ result: Result<Reading.Camera, CameraRequests.Refusal>) -> Task<CameraCommand?, Never> {
        let requests = requests
        return Task {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var request = requests.take()
                    while request.map(\.command) == nil, requests.waker.wait(until: .now() + 3600) {
                        request = requests.take()
                    }
                    request?.reply(result)
                    continuation.resume(returning: request?.command)
                }
            }
        }
    }

    private let camera = Reading.Camera(id: "usb-A", name: "A", device: "/dev/video3")

    @Test("choosing a camera returns the one that is then open")
    func choose() async throws {
        let command = answer(.success(camera))
        let (status, text) = try await post("/api/camera", #"{"id": "usb-A"}"#)
        #expect(await command.value == .device("usb-A"))
        #expect(status == .ok)
        #expect(text == #"{"camera":{"device":"/dev/video3","id":"usb-A","name":"A"}}"#)
    }

    @Test("toggling the camera asks for the next one")
    func toggle() async throws {
        let command = answer(.success(camera))
        #expect(try await post("/api/camera/toggle").status == .ok)
        #expect(await command.value == .next)
    }

    @Test(
        "a refused choice of camera is answered with the reason",
        arguments: [
            (CameraRequests.Refusal.notFound("None."), HTTPStatusCode.notFound, "camera-not-found"),
            (.unusable("Busy."), .conflict, "camera-unusable"), (.unavailable, .serviceUnavailable, "unavailable"),
        ])
    func refused(refusal: CameraRequests.Refusal, status: HTTPStatusCode, code: String) async throws {
        let command = answer(.failure(refusal))
        let answer = try await post("/api/camera/toggle")
        _ = await command.value
        #expect(answer.status == status)
        #expect(answer.text.contains("\"code\":\"\(code)\""))
    }

    @Test(
        "a choice of camera must be a JSON object with an id",
        arguments: ["", "[]", "{}", #"{"id": 1}"#, #"{"id": null}"#, #"{"id": "x", "name": "x"}"#])
    func bad(body: String) async throws {
        let answer = try await post("/api/camera", body)
        #expect(answer.status == .badRequest)
        #expect(requests.take().map(\.command) == nil)
    }

    @Test("a choice of camera is answered with 202 Accepted if the camera is slow to open")
    func slow() async throws {
        let answer = try await post("/api/camera/toggle", to: appWithZeroTimeout)
        #expect(answer.status == .accepted)
        #expect(answer.text == #"{"camera":null}"#)
        requests.stop()
    }

    @Test("a choice of camera is refused if the program is stopping")
    func stopped() async throws {
        requests.stop()
        #expect(try await post("/api/camera/toggle").status == .serviceUnavailable)
    }

    @Test("a choice of camera is refused while eight others wait")
    func tooManyRequests() async throws {
        for _ in 1...8 { requests.enqueue(.init(command: .next) { _ in }) }
        #expect(try await post("/api/camera/toggle").status == .serviceUnavailable)
        requests.stop()
    }

    private func list() async throws -> String {
        let response = await app.handleRequest(.sample(.GET, "/api/cameras"))
        #expect(response.statusCode == .ok)
        return String(decoding: try await response.bodyData, as: UTF8.self)
    }

    @Test("without cameras, the list of cameras is empty")
    func noCameras() async throws {
        #expect(try await list() == #"{"cameras":[]}"#)
    }

    @Test("each camera is listed with its place, its problem and whether it is the chosen one")
    func cameras() async throws {
        shared.directory.nodes.publish([
            DeviceNode(path: "/dev/video0", id: "usb-A", name: "A", driver: "uvcvideo", bus: "usb-1"),
            DeviceNode(
                path: "/dev/video3", id: "usb-B", name: "B", driver: "", bus: "",
                problem: .sourceChanged(path: "/dev/video3")),
        ])
        #expect(
            try await list()
                == #"{"cameras":[{"bus":"usb-1","chosen":true,"device":"/dev/video0","driver":"uvcvideo","id":"usb-A","#
                + #""name":"A","problem":null},{"bus":"","chosen":false,"device":"/dev/video3","driver":"","#
                + #""id":"usb-B","name":"B","problem":"/dev/video3: the input signal has changed."}]}"#)
    }

    @Test(
        "the chosen camera is the one with the current device, or the current id if no device is known",
        arguments: [
            ("usb-B", "/dev/video0", [true, false]), ("usb-B", nil, [false, true]),
            ("usb-B", "/dev/video9", [false, false]),
        ] as [(String, String?, [Bool])])
    func chosen(id: String, device: String?, expected: [Bool]) async throws {
        shared.directory.nodes.publish([
            DeviceNode(path: "/dev/video0", id: "usb-A", name: "A", driver: "uvcvideo", bus: "usb-1"),
            DeviceNode(path: "/dev/video3", id: "usb-B", name: "B", driver: "uvcvideo", bus: "usb-2"),
        ])
        shared.readings.publish(.sample.with { $0.camera = .init(id: id, name: "B", device: device) })
        #expect(try await list().matches(of: /"chosen":(true|false)/).map { $0.1 == "true" } == expected)
    }

    @Test("without a current camera, no camera is the chosen one")
    func noneChosen() async throws {
        shared.directory.nodes.publish([
            DeviceNode(path: "/dev/video0", id: "usb-A", name: "A", driver: "uvcvideo", bus: "usb-1")
        ])
        shared.readings.publish(.noCamera)
        #expect(try await list().contains(#""chosen":false"#))
    }
}
