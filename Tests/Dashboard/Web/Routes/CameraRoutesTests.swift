import FlyingFox
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Camera routes", .timeLimit(.minutes(20)))
struct CameraRoutesTests: RouteTests {
    private let requests: CameraRequests
    let app: WebApp

    init() throws {
        let shared = try SharedState.sample()
        requests = shared.cameraRequests
        app = try WebApp.sample(shared, timeout: .seconds(3600))
    }

    private func askForNext() async -> HTTPResponse { await send(.POST, "/api/camera/toggle") }

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
        let response = await send(.POST, "/api/camera", #"{"id": "usb-A"}"#)
        #expect(await command.value == .device("usb-A"))
        #expect(response.statusCode == .ok)
        #expect(
            try await text(response) == #"{"camera":{"device":"/dev/video3","id":"usb-A","name":"A"},"problem":null}"#)
    }

    @Test("toggling the camera asks for the next one")
    func toggle() async throws {
        let command = answer(.success(camera))
        #expect(await askForNext().statusCode == .ok)
        #expect(await command.value == .next)
    }

    @Test(
        "a refused choice of camera is answered with the reason",
        arguments: [
            (CameraRequests.Refusal.notFound("None."), "404 camera-not-found"),
            (.unusable("Busy."), "409 camera-unusable"), (.unavailable, "503 unavailable"),
        ])
    func refused(reason: CameraRequests.Refusal, expected: String) async throws {
        let command = answer(.failure(reason))
        #expect(try await refusal(askForNext()) == expected)
        _ = await command.value
    }

    @Test(
        "a choice of camera must be a JSON object with an id",
        arguments: ["", "[]", "{}", #"{"id": 1}"#, #"{"id": null}"#, #"{"id": "x", "name": "x"}"#])
    func bad(body: String) async throws {
        #expect(await send(.POST, "/api/camera", body).statusCode == .badRequest)
        #expect(requests.take().map(\.command) == nil)
    }

    @Test("a choice of camera is answered with 202 Accepted if the camera is slow to open")
    func slow() async throws {
        let impatient = try WebApp.sample(shared, timeout: .zero)
        let response = await impatient.handleRequest(
            .sample(.POST, "/api/camera/toggle", headers: ["Content-Type": "application/json"]))
        #expect(response.statusCode == .accepted)
        #expect(try await text(response) == #"{"camera":null,"problem":null}"#)
        requests.stop()
    }

    @Test("a choice of camera is refused while eight others wait, and when the program is stopping")
    func tooManyRequests() async throws {
        for _ in 1...8 { requests.enqueue(.init(command: .next) { _ in }) }
        #expect(await askForNext().statusCode == .serviceUnavailable)
        requests.stop()
        #expect(await askForNext().statusCode == .serviceUnavailable)
    }

    private func list() async throws -> String { try await text(get("/api/cameras")) }

    private func node(_ path: String, _ name: String, problem: V4L2Error? = nil) -> DeviceNode {
        DeviceNode(path: path, id: "usb-\(name)", name: name, driver: "uvcvideo", bus: "usb-1", problem: problem)
    }

    @Test("each camera is listed with its place, its problem and whether it is the chosen one")
    func cameras() async throws {
        #expect(try await list() == #"{"cameras":[],"faults":[]}"#)
        shared.readings.update { $0.faults[.damaged] = 3 }
        shared.directory.nodes.publish([
            node("/dev/video0", "A"), node("/dev/video3", "B", problem: .sourceChanged(path: "/dev/video3")),
        ])
        #expect(
            try await list()
                == #"{"cameras":[{"bus":"usb-1","chosen":true,"device":"/dev/video0","driver":"uvcvideo","id":"usb-A","#
                + #""name":"A","problem":null},{"bus":"usb-1","chosen":false,"device":"/dev/video3","#
                + #""driver":"uvcvideo","id":"usb-B","name":"B","problem":"/dev/video3: the input signal has changed."}]"#
                + #","faults":[{"frames":3,"kind":"damaged"}]}"#)
    }

    @Test(
        "the chosen camera is the one with the current device, or the current id if no device is known",
        arguments: [
            ("usb-B", "/dev/video0", [true, false]), ("usb-B", nil, [false, true]),
            ("usb-B", "/dev/video9", [false, false]), (nil, nil, [false, false]),
        ] as [(String?, String?, [Bool])])
    func chosen(id: String?, device: String?, expected: [Bool]) async throws {
        shared.directory.nodes.publish([node("/dev/video0", "A"), node("/dev/video3", "B")])
        shared.readings.publish(.sample.with { $0.camera = id.map { .init(id: $0, name: "B", device: device) } })
        #expect(try await list().matches(of: /"chosen":(true|false)/).map { $0.1 == "true" } == expected)
    }
}
