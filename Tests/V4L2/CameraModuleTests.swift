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
        "a receiver, an image processor or a lost camera of libcamera's layer says why it does not stream",
        arguments: [
            ("unicam", V4L2_CAP_IO_MC, FAKE_STREAMON, EPIPE, .graphNotSetUp(path: "/dev/video9", errno: EPIPE)),
            ("unicam", V4L2_CAP_IO_MC, FAKE_STREAMON, ENOLINK, .graphNotSetUp(path: "/dev/video9", errno: ENOLINK)),
            ("unicam", V4L2_CAP_IO_MC, FAKE_STREAMON, ENOTCONN, .graphNotSetUp(path: "/dev/video9", errno: ENOTCONN)),
            ("unicam", V4L2_CAP_IO_MC, FAKE_STREAMON, EINVAL, .graphNotSetUp(path: "/dev/video9", errno: EINVAL)),
            (
                "uvcvideo", 0, FAKE_STREAMON, EINVAL,
                .system(call: "VIDIOC_STREAMON", errno: EINVAL, path: "/dev/video9")
            ),
            ("uvcvideo", 0, FAKE_STREAMON, EBUSY, .busy(path: "/dev/video9", holders: [])),
            ("pispbe", 0, FAKE_S_FMT, EINVAL, .imageProcessor(path: "/dev/video9", name: "card")),
            ("libcamera", 0, FAKE_S_FMT, EINVAL, .lostByLayer(path: "/dev/video9")),
        ] as [(String, Int32, fake_driver_request, Int32, V4L2Error)])
    func graph(driver: String, flags: Int32, call: fake_driver_request, errno: Int32, error: V4L2Error) throws {
        let stream = ModelStream()
        stream.driver.identify(driver: driver, card: "card", flags: flags)
        if call == FAKE_STREAMON {
            stream.driver.on(FAKE_STREAMON, Int32.self) { _ in errno }
        } else {
            unsafe stream.driver.on(FAKE_S_FMT, v4l2_format.self) { _ in errno }
        }
        #expect(throws: error) { try stream.run { _ in } }
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
