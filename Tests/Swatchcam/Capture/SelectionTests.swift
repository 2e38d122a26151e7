import Testing
import V4L2

@testable import Swatchcam

@Suite("The source that the config means")
struct SourceSelectionTests {
    static let c920 = DeviceNode(
        path: "/dev/video0", id: "usb-C920", name: "HD Pro Webcam C920", driver: "uvcvideo", bus: "1")
    static let brio = DeviceNode(
        path: "/dev/video2", id: "usb-Brio", name: "Logitech BRIO Webcam", driver: "uvcvideo", bus: "2")
    static let locked = DeviceNode(
        path: "/dev/video4", id: "x", name: "Locked", driver: "", bus: "",
        problem: .system(call: "open", errno: 13, path: "/dev/video4"))

    @Test(
        "is found by node, id, or part of the name",
        arguments: [("/dev/video2", brio), ("usb-C920", c920), ("brio", brio), ("Pro Webcam", c920)])
    func found(device: String, node: DeviceNode) {
        #expect(SourceSelection(device: device, among: [Self.c920, Self.brio]) == .camera(node))
    }

    @Test("for auto is the first camera that may be opened")
    func auto() {
        #expect(SourceSelection(device: "auto", among: [Self.locked, Self.brio]) == .camera(Self.brio))
        #expect(SourceSelection(device: "auto", among: [Self.locked]) == .camera(Self.locked))
    }

    @Test("for auto is the test pattern when there is no camera")
    func noCamera() {
        #expect(SourceSelection(device: "auto", among: []) == .testPattern)
    }

    @Test("is never another camera than the one that is named", arguments: ["C922", "usb-C9", "/dev/video7"])
    func neverAnother(device: String) {
        let selection = SourceSelection(device: device, among: [Self.c920, Self.brio])
        #expect(selection != .camera(Self.c920) && selection != .camera(Self.brio) && selection != .testPattern)
    }

    @Test("is none when a name is ambiguous, and the sentence lists the matches")
    func ambiguous() throws {
        guard case .none(let message) = SourceSelection(device: "webcam", among: [Self.c920, Self.brio]) else {
            Issue.record("a camera was chosen")
            return
        }
        #expect(message.contains("usb-C920") && message.contains("usb-Brio"))
    }
}

@Suite("The format that is asked of a camera")
struct FormatSelectionTests {
    private func offer(_ fourCC: FourCC, _ sizes: [(Int, Int, Double)]) -> OfferedFormat {
        OfferedFormat(
            fourCC: fourCC, name: "",
            sizes: .discrete(sizes.map { .init(width: $0.0, height: $0.1, rates: [$0.2]) }))
    }

    @Test("is one that comes in the wanted size at the wanted rate")
    func fitting() {
        let offered = [offer("RGB3", [(640, 480, 5)]), offer("YUYV", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("YUYV"))
    }

    @Test("is a readable one even if nothing fits")
    func nothingFits() {
        let offered = [offer("H264", [(640, 480, 30)]), offer("GREY", [(320, 240, 5)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("GREY"))
    }

    @Test("is MJPG when nothing raw comes at the wanted rate")
    func compressed() {
        let offered = [offer("YUYV", [(640, 480, 5)]), offer("MJPG", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("MJPG"))
    }

    @Test("is color before grey")
    func colorFirst() {
        let offered = [offer("GREY", [(640, 480, 30)]), offer("NV12", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("NV12"))
    }

    @Test(
        "is none when none can be read, and the sentence lists what the camera offers",
        arguments: ["auto", "H264", "YUYV"])
    func unsupported(format: String) {
        var camera = Config.Camera()
        camera.format = format
        guard case .unsupported(let message) = FormatSelection(camera, offered: [offer("H264", []), offer("HEVC", [])])
        else {
            Issue.record("a format was chosen")
            return
        }
        #expect(message.contains("H264, HEVC"))
    }
}
