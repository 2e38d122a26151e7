import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("Setting up a sensor")
struct SensorSetUpTests {
    private let model = ModelSensor()

    private static let enabled = UInt32(MEDIA_LNK_FL_ENABLED)
    private static let atReceiver = ModelSensor.pad(ModelSensor.receiver, 0)
    private static let atProcessor = ModelSensor.pad(ModelSensor.processor, 0)
    private static let dynamic = UInt32(MEDIA_LNK_FL_DYNAMIC)

    @Test("a link keeps its other flags when it is enabled or disabled")
    func flags() throws {
        model.links[ModelSensor.toCapture] = Self.dynamic
        model.links[ModelSensor.toOutput] = Self.enabled | Self.dynamic
        try model.withDevice { device in
            var device = device
            _ = try device.setUpGraph("pRAA", width: 640, height: 480)
            #expect(model.links[ModelSensor.toCapture] == Self.enabled | Self.dynamic)
            #expect(model.links[ModelSensor.toOutput] == Self.dynamic)
        }
        #expect(model.links[ModelSensor.toOutput] == Self.enabled | Self.dynamic)
    }

    @Test("a link that was disabled is enabled again if a later step fails")
    func failure() throws {
        model.links[ModelSensor.toProcessor] = nil
        model.links[.init(source: ModelSensor.pad(ModelSensor.sensor, 0), sink: Self.atProcessor)] = Self.enabled
        model.refusals[Self.atReceiver] = EINVAL
        var duringFailure: UInt32?
        model.onRefusal = { [unowned model] in duringFailure = model.links[ModelSensor.toOutput] }
        #expect(throws: V4L2Error.system(call: "VIDIOC_SUBDEV_S_FMT", errno: EINVAL, path: "/dev/zero")) {
            try model.withDevice { device in
                var device = device
                _ = try device.setUpGraph("pRAA", width: 640, height: 480)
            }
        }
        #expect(duringFailure == 0)
        #expect(model.links[ModelSensor.toOutput] == Self.enabled)
    }

    @Test("the format that the sensor grants is set behind it, and is asked of the node that captures")
    func granted() throws {
        let granted = BusFormat(code: UInt32(MEDIA_BUS_FMT_SRGGB10_1X10), width: 632, height: 476)
        model.grant = { pad, format in pad == ModelSensor.pad(ModelSensor.sensor, 0) ? granted : format }
        try model.withDevice { device in
            var device = device
            let size = try device.setUpGraph("pRAA", width: 640, height: 480)
            #expect(size == (632, 476))
        }
        #expect(model.set.count == 4)
        #expect(model.set.allSatisfy { $0.format == granted })
    }

    @Test("a sensor from which another program streams keeps its format, and the graph its links")
    func busy() throws {
        unsafe model.driver.on(FAKE_G_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.width, format.fmt.pix.height) = (640, 480)
            return 0
        }
        unsafe model.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.width, format.fmt.pix.height) == (640, 480) ? EBUSY : EINVAL
        }
        let links = model.links
        let error = #expect(throws: V4L2Error.self) {
            try model.withDevice { device in
                var device = device
                _ = try device.setUpGraph("pRAA", width: 64, height: 48)
            }
        }
        #expect(error?.errno == EBUSY)
        #expect(model.set.isEmpty)
        #expect(model.links == links)
    }

    @Test("a sensor offers every format in which its pictures can be stored, the most accurate first and packed first")
    func offered() throws {
        model.codes = [
            (MEDIA_BUS_FMT_SRGGB8_1X8, ["RGGB"]), (MEDIA_BUS_FMT_SRGGB10_1X10, ["RG16", "RG10", "pRAA"]),
            (MEDIA_BUS_FMT_SRGGB12_1X12, ["RG16", "RG12"]),
        ]
        let formats = try model.withDevice { $0.offeredFormats() }
        #expect(formats.map(\.fourCC) == ["RG12", "RG16", "pRAA", "RG10", "RGGB"])
        #expect(formats.map(\.isAlternative) == [false, true, false, true, false])
        try model.withDevice { device in
            var device = device
            _ = try device.setUpGraph("RG10", width: 64, height: 48)
        }
        #expect(model.set.first?.format.code == UInt32(MEDIA_BUS_FMT_SRGGB10_1X10))
    }

    @Test("a sensor whose stream does not start says which formats do not fit")
    func notStarted() throws {
        unsafe model.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.width, format.fmt.pix.height) = (640, 476)
            unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (800, 4096)
            return 0
        }
        model.driver.on(FAKE_STREAMON, Int32.self) { _ in EPIPE }
        try #expect(problem() == "csi2 sends 640x480 in bus format 0x300f, but csi2_ch0 stores pRAA 640x476")
        model.formats = [:]
        model.grant = { pad, format in
            pad == Self.atReceiver ? BusFormat(code: format.code, width: 64, height: 48) : format
        }
        try #expect(
            problem() == "imx219 10-0010 sends 640x480 in bus format 0x300f, but csi2 takes 64x48 in bus format 0x300f")
        model.driver.on(FAKE_MEDIA_SETUP_LINK, media_link_desc.self) { _ in 0 }
        model.links[ModelSensor.toCapture] = 0
        model.formats = [:]
        model.grant = { $1 }
        try #expect(problem() == "the link from csi2 to csi2_ch0 is off")
    }

    @Test("controls are set when the sensor has its format, and before it starts")
    func controls() throws {
        let exposure = UInt32(V4L2_CID_EXPOSURE)
        model.controls.add(V4L2_CID_EXPOSURE, "Exposure", value: 1)
        model.grant = { [unowned model] _, format in
            model.controls.values[exposure] = .number(128)
            return format
        }
        unsafe model.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (80, 3840)
            return 0
        }
        try model.withDevice { device in
            _ = try Camera(device, fourCC: "pRAA", width: 64, height: 48, framesPerSecond: 30) {
                [model] device throws(V4L2Error) in
                #expect(model.driver.count(of: FAKE_STREAMON) == 0)
                for control in device.controls() { try device.set(control, to: .number(7)) }
            }
        }
        #expect(model.controls.values == [exposure: .number(7)])
    }

    /// Returns what the error says when a stream of 640x480 pixels is started.
    private func problem() throws -> String? {
        let error = #expect(throws: V4L2Error.self) {
            try model.withDevice { device in
                _ = try Camera(device, fourCC: "pRAA", width: 640, height: 480, framesPerSecond: 30)
            }
        }
        guard case .sensorNotStarted(_, EPIPE, let problem) = error else { return error?.description }
        return problem
    }
}
