import ArgumentParser
import CV4L2
import FakeDriver
import Files
import Foundation
import TestSupport
import Testing

@testable import State
@testable import Swatchcam
@testable import V4L2

@Suite("The command cameras")
struct CamerasCommandTests {
    private let node = DeviceNode(path: "/dev/none", id: "usb-C920", name: "C920", driver: "uvcvideo", bus: "usb-1")

    /// A camera that can be used.
    private func usable(_ formats: [OfferedFormat] = [], _ controls: [Control] = []) -> CameraDescription {
        var camera = CameraDescription(node)
        camera.problem = nil
        camera.formats = formats.map(CameraDescription.Format.init)
        camera.controls = controls.map { ControlDocument($0, among: controls) }
        return camera
    }

    @Test("a camera is described by its names, formats and controls")
    func text() {
        let size = OfferedFormat.Size(width: 640, height: 480, rates: [30, 7.5])
        let camera = usable(
            [OfferedFormat(fourCC: "YUYV", name: "YUYV 4:2:2", sizes: .discrete([size]))], [.sample()])
        #expect(
            camera.text == """
                C920
                  id       usb-C920
                  device   /dev/none
                  driver   uvcvideo
                  bus      usb-1
                  formats
                    YUYV  YUYV 4:2:2: 640x480@30/7.50
                  controls
                    contrast (integer) 0...255, default 128, now 128
                """)
    }

    @Test("a part of an image processor is described as no camera, even if it can be opened")
    func imageProcessor() {
        var part = node
        part.role = .imageProcessor
        part.problem = .imageProcessor(path: node.path, name: "bcm2835-isp")
        #expect(CameraDescription(part).text.contains("bcm2835-isp is a part of the image processor"))
    }

    @Test("the receiver of a camera module has a note that names what helps")
    func receiver() {
        var receiver = node
        receiver.role = .receiver
        let camera = CameraDescription(receiver)
        #expect(camera.note == "the receiver of a camera module. \(V4L2Error.moduleAdvice)")
        var usable = camera
        usable.problem = nil
        #expect(usable.text.contains("\n  note     the receiver of a camera module. For a camera module, run"))
    }

    @Test("a format is listed with its sizes, or the ends of their range, and with the rates that the driver reports")
    func sizes() {
        let some = OfferedFormat.Sizes.discrete([
            .init(width: 640, height: 480, rates: [30, 29.97]), .init(width: 320, height: 240, rates: []),
        ])
        let list = CameraDescription.Format(OfferedFormat(fourCC: "MJPG", name: "Motion-JPEG", sizes: some))
        #expect(list.text == "MJPG  Motion-JPEG: 640x480@30/29.97 320x240" && !list.isRange)
        let all = OfferedFormat.Sizes.stepwise(width: 16...1920, widthStep: 2, height: 8...1080, heightStep: 4)
        let range = CameraDescription.Format(OfferedFormat(fourCC: "YUYV", name: "YUYV", sizes: all))
        #expect(range.text == "YUYV  YUYV: 16x8...1920x1080" && range.isRange)
    }

    @Test("an open camera is described by the formats and controls that its driver reports")
    func driver() throws {
        var answered = 0
        let description = try unsafe withUnsafeMutablePointer(to: &answered) { context in
            // The camera has one format and one control.
            unsafe fake_driver_begin_model(
                { _, _, request, argument in
                    switch request {
                    case FAKE_QUERYCAP:
                        unsafe argument.assumingMemoryBound(to: v4l2_capability.self).pointee.capabilities =
                            UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
                        return 0
                    case FAKE_ENUM_FMT:
                        let format = unsafe argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
                        guard unsafe format.pointee.index == 0 else { return EINVAL }
                        unsafe format.pointee.pixelformat = FourCC("YUYV").rawValue
                        return 0
                    case FAKE_QUERY_EXT_CTRL:
                        let control = unsafe argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self)
                        guard unsafe control.pointee.id & 0x0FFF_FFFF < UInt32(V4L2_CID_CONTRAST) else { return EINVAL }
                        unsafe control.pointee.id = UInt32(V4L2_CID_CONTRAST)
                        unsafe control.pointee.type = V4L2_CTRL_TYPE_INTEGER.rawValue
                        unsafe control.pointee.maximum = 9
                        unsafe withUnsafeMutableBytes(of: &control.pointee.name) {
                            unsafe $0.copyBytes(from: Array("Contrast".utf8))
                        }
                        return 0
                    default: return EINVAL
                    }
                }, context)
            defer { fake_driver_end() }
            let device = try Device(path: "/dev/video9", owning: FileDescriptor(opening: "/dev/zero", flags: O_RDWR))
            return CameraDescription(node, device)
        }
        #expect(description.formats.map(\.fourcc) == ["YUYV"])
        #expect(description.controls.map(\.label) == ["Contrast"])
        #expect(description.problem == nil)
        #expect(description.name == "C920")
    }

    @Test("the cameras are printed one after another, with an empty line between them")
    func list() throws {
        let recorded = try RecordedConsole()
        let other = DeviceNode(path: "/dev/none", id: "b", name: "B", driver: "", bus: "")
        try CamerasCommand.parse([]).show([CameraDescription(node), CameraDescription(other)], on: recorded.console)
        let problem = "  device   /dev/none\n  problem  \(V4L2Error.notACamera(path: "/dev/none"))\n"
        #expect(recorded.output == "C920\n  id       usb-C920\n\(problem)\nB\n  id       b\n\(problem)")
        #expect(recorded.errors.isEmpty)
    }

    @Test("the absence of cameras is a message, not data; with --json, it is an empty array", arguments: [false, true])
    func none(asJSON: Bool) throws {
        let recorded = try RecordedConsole()
        try CamerasCommand.parse(asJSON ? ["--json"] : []).show([], on: recorded.console)
        #expect(recorded.errors == (asJSON ? "" : "No camera found.\n"))
        #expect(recorded.output.filter { !$0.isWhitespace } == (asJSON ? "[]" : ""))
    }

    @Test("with --json, a camera is an object with its formats and controls")
    func json() throws {
        let recorded = try RecordedConsole()
        let size = OfferedFormat.Size(width: 640, height: 480, rates: [30])
        let camera = usable([OfferedFormat(fourCC: "YUYV", name: "YUYV", sizes: .discrete([size]))])
        try CamerasCommand.parse(["--json"]).show([camera], on: recorded.console)
        #expect(recorded.output.hasSuffix("\n]\n"))
        #expect(
            recorded.output.filter { !$0.isWhitespace }
                == #"[{"bus":"usb-1","controls":[],"device":"/dev/none","driver":"uvcvideo","formats":[{"fourcc":"YUYV","#
                + #""isRange":false,"name":"YUYV","sizes":[{"height":480,"rates":[30],"width":640}]}],"#
                + #""id":"usb-C920","name":"C920"}]"#)
    }
}
