import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("A device")
struct DeviceTests {
    private static let video = V4L2_CAP_VIDEO_CAPTURE
    private static let planes = V4L2_CAP_VIDEO_CAPTURE_MPLANE
    private static let streaming = V4L2_CAP_STREAMING

    private func capability(_ flags: Int, device: Int? = nil) -> Capability {
        var reply = v4l2_capability()
        reply.capabilities = UInt32(flags) | (device == nil ? 0 : UInt32(V4L2_CAP_DEVICE_CAPS))
        reply.device_caps = device.map { UInt32($0) } ?? 0
        return Capability(reply)
    }

    @Test("a device is a camera if it captures video by streaming and is not a codec")
    func cameras() {
        let (video, planes, streaming) = (Int(Self.video), Int(Self.planes), Int(Self.streaming))
        #expect(capability(video | streaming).isCamera)
        #expect(capability(planes | streaming).isCamera)
        #expect(!capability(video).isCamera)
        #expect(!capability(streaming).isCamera)
        #expect(!capability(video | streaming | Int(V4L2_CAP_VIDEO_M2M)).isCamera)
        #expect(!capability(planes | streaming | Int(V4L2_CAP_VIDEO_M2M_MPLANE)).isCamera)
        // The capabilities of the node count, not those of the whole device.
        #expect(!capability(video | streaming, device: streaming).isCamera)
        #expect(capability(streaming, device: video | streaming).isCamera)
    }

    @Test(
        "a node is a camera, a camera module's receiver, or a part of an image processor",
        arguments: [
            ("uvcvideo", 0, NodeRole.camera), ("unicam", 0, .camera), ("libcamera", 0, .camera),
            ("unicam", V4L2_CAP_IO_MC, .receiver), ("vimc", V4L2_CAP_IO_MC, .receiver), ("rp1-cfe", 0, .receiver),
            ("bcm2835-isp", 0, .imageProcessor), ("pispbe", 0, .imageProcessor),
        ])
    func roles(driver: String, flags: Int32, role: NodeRole) {
        var reply = v4l2_capability()
        reply.capabilities = UInt32(bitPattern: flags)
        unsafe withUnsafeMutableBytes(of: &reply.driver) { unsafe $0.copyBytes(from: Array(driver.utf8)) }
        #expect(Capability(reply).role == role)
    }

    @Test("the multi-planar API is used only if there is no other")
    func multiplanar() {
        let (video, planes) = (Int(Self.video), Int(Self.planes))
        #expect(!capability(video | planes).usesMultiplanarAPI)
        #expect(capability(planes).usesMultiplanarAPI)
        #expect(capability(planes).bufferType == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE)
        #expect(capability(video).bufferType == V4L2_BUF_TYPE_VIDEO_CAPTURE)
    }

    @Test(
        "a device that is not a camera is distinguished from one that fails",
        arguments: [
            (ENOTTY, .notACaptureDevice(path: "/dev/video9", name: "this")),
            (EINVAL, .notACaptureDevice(path: "/dev/video9", name: "this")),
            (ENODEV, .system(call: "VIDIOC_QUERYCAP", errno: ENODEV, path: "/dev/video9")),
        ] as [(Int32, V4L2Error)])
    func failures(errno: Int32, expected: V4L2Error) {
        let driver = ModelDriver()
        driver.on(FAKE_QUERYCAP, v4l2_capability.self) { _ in errno }
        #expect(#expect(throws: V4L2Error.self) { try driver.withDevice { _ in } } == expected)
    }

    @Test("the error about a device that does not stream has the driver's name for it")
    func radio() {
        let driver = ModelDriver()
        driver.on(FAKE_QUERYCAP, v4l2_capability.self) { reply in
            unsafe withUnsafeMutableBytes(of: &reply.card) { unsafe $0.copyBytes(from: Array("FM".utf8)) }
            return 0
        }
        let error = #expect(throws: V4L2Error.self) { try driver.withDevice { _ in } }
        #expect(error == .notACaptureDevice(path: "/dev/video9", name: "FM"))
    }

    @Test("a device that goes out of scope closes its file")
    func file() throws {
        var pair: [Int32] = [0, 0]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        let far = pair[1]
        defer { close(far) }
        var byte: UInt8 = 0
        try ModelDriver().withDevice(pair[0]) { device in
            #expect(unsafe recv(far, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
            _ = consume device
            #expect(unsafe recv(far, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
        }
    }
}
