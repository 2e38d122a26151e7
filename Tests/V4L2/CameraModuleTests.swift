import CV4L2
import FakeDriver
import Foundation
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("The nodes of a camera module, and libcamera's layer in their place")
struct CameraModuleTests {
    private typealias Frame = ModelStream.Frame

    @Test(
        "a receiver that does not start says that its media graph is not set up",
        arguments: [EPIPE, ENOLINK, ENOTCONN, EINVAL])
    func graph(errno: Int32) throws {
        let stream = ModelStream()
        stream.driver.identify(driver: "unicam", flags: V4L2_CAP_IO_MC)
        stream.driver.on(FAKE_STREAMON, Int32.self) { _ in errno }
        #expect(throws: V4L2Error.graphNotSetUp(path: "/dev/video9", errno: errno)) { try stream.run { _ in } }
    }

    @Test("a camera that does not start is not explained by a media graph")
    func noGraph() throws {
        let stream = ModelStream()
        stream.driver.on(FAKE_STREAMON, Int32.self) { _ in EINVAL }
        let error = V4L2Error.system(call: "VIDIOC_STREAMON", errno: EINVAL, path: "/dev/video9")
        #expect(throws: error) { try stream.run { _ in } }
    }

    @Test("a part of an image processor that refuses a format says what it is")
    func processor() throws {
        let stream = ModelStream()
        stream.driver.identify(driver: "pispbe", card: "pispbe-output0")
        unsafe stream.driver.on(FAKE_S_FMT, v4l2_format.self) { _ in EINVAL }
        let error = V4L2Error.imageProcessor(path: "/dev/video9", name: "pispbe-output0")
        #expect(throws: error) { try stream.run { _ in } }
    }

    @Test("a camera that libcamera's layer has lost says that a restart is needed")
    func lostByLayer() throws {
        let stream = ModelStream()
        stream.driver.identify(driver: "libcamera")
        unsafe stream.driver.on(FAKE_S_FMT, v4l2_format.self) { _ in EINVAL }
        #expect(throws: V4L2Error.lostByLayer(path: "/dev/video9")) { try stream.run { _ in } }
    }

    @Test("before a stream of libcamera's layer ends, the layer has no frame left")
    func drained() throws {
        let stream = ModelStream()
        stream.driver.identify(driver: "libcamera")
        var left: Int?
        stream.driver.on(FAKE_STREAMOFF, Int32.self) { _ in
            left = stream.queued.count
            return 0
        }
        try stream.run { _ in stream.waiting = (0..<5).map { Frame(sequence: $0) } }
        #expect(left == 0)
    }

    @Test("a picture of libcamera's layer has the full range unless the layer says otherwise")
    func fullRange() throws {
        let stream = ModelStream()
        stream.driver.identify(driver: "libcamera")
        try stream.run { camera in #expect(camera.format.colorimetry.quantization == .fullRange) }
    }
}
