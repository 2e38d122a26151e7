import CV4L2
import FakeDriver
import Glibc
import Handoff
import ModelCamera
import V4L2

/// A camera that a test plugs in and unplugs.
final class FakeCamera {
    var node: DeviceNode
    let stream = ModelStream()
    let controls: ModelControls
    var isPluggedIn = true
    /// The formats that the driver offers.
    var formats: [FourCC]
    /// The error that prevents it from being opened.
    var problem: V4L2Error?
    /// The descriptor of the device while it is open.
    var descriptor: Int32 = -1
    private var sequence: UInt32 = 0

    init(_ name: String, number: Int, formats: [FourCC] = ["YUYV"]) {
        node = DeviceNode(
            path: "/dev/video\(number)", id: "usb-\(name)", name: name, driver: "uvcvideo", bus: "\(number)",
            formats: formats)
        controls = ModelControls(of: stream.driver)
        self.formats = formats
        stream.driver.on(FAKE_ENUM_FMT, v4l2_fmtdesc.self) { [unowned self] description in
            guard let fourCC = self.formats.dropFirst(Int(description.index)).first else { return EINVAL }
            description.pixelformat = fourCC.rawValue
            return 0
        }
    }

    /// Adds a grey frame of 16 x 8 pixels in YUYV.
    func deliver() {
        stream.waiting.append(.init(sequence: sequence, bytes: [UInt8](repeating: 128, count: 256)))
        sequence += 1
    }

    /// The signal of its only input: `V4L2_IN_ST_*` flags.
    var signal: Int32 = 0

    /// Gives the camera an input whose signal is asked for.
    func addInput(on fixture: CaptureLoopFixture) {
        stream.driver.on(FAKE_G_INPUT, Int32.self) { index in
            index = 0
            return 0
        }
        stream.driver.on(FAKE_ENUMINPUT, v4l2_input.self) { [unowned self, unowned fixture] input in
            if signal != 0 {
                fixture.tick()
                fixture.requests.waker.wake()
            }
            input.status = UInt32(bitPattern: signal)
            return 0
        }
    }

    /// Announces that the source has changed, which ends the stream.
    func changeSource() {
        var pair: [Int32] = [0, 0]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        // poll(2) reports urgent data on a socket as it reports an event of a device. The descriptor can be replaced,
        // because the buffers are mapped already.
        unsafe send(pair[1], [1] as [UInt8], 1, Int32(MSG_OOB))
        dup2(pair[0], descriptor)
        close(pair[0])
        var isRead = false
        stream.driver.on(FAKE_DQEVENT, v4l2_event.self) { event in
            guard !isRead else { return ENOENT }
            isRead = true
            event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
            close(pair[1])
            return 0
        }
    }
}
