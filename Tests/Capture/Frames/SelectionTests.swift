import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The source that the config means")
struct SourceSelectionTests {
    static let c920 = DeviceNode(
        path: "/dev/video0", id: "usb-C920", aliases: ["pci-1", "uvcvideo-1"], name: "HD Pro Webcam C920",
        driver: "uvcvideo", bus: "1", formats: ["H264", "YUYV"])
    static let brio = DeviceNode(
        path: "/dev/video2", id: "usb-Brio", aliases: ["pci-2", "uvcvideo-2"], name: "Logitech BRIO Webcam",
        driver: "uvcvideo", bus: "2", formats: ["MJPG"])
    static let locked = DeviceNode(
        path: "/dev/video4", id: "x", name: "Locked", driver: "", bus: "",
        problem: .denied(path: "/dev/video4", group: "video"))
    static let encoder = DeviceNode(
        path: "/dev/video5", id: "y", name: "Encoder", driver: "", bus: "", formats: ["H264"])

    @Test(
        "is found by node, id, another stable name, or part of the name",
        arguments: [
            ("/dev/video2", brio), ("usb-C920", c920), ("pci-2", brio), ("uvcvideo-1", c920), ("brio", brio),
            ("Pro Webcam", c920),
        ])
    func found(device: String, node: DeviceNode) {
        #expect(SourceSelection(device: device, among: [Self.c920, Self.brio]) == .cameras([node]))
    }

    @Test("is found by a link to the node")
    func link() throws {
        let folder = try TemporaryFolder(["video2": ""])
        var node = Self.brio
        node.path = folder.path + "/video2"
        let link = folder.path + "/my-camera"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: node.path)
        #expect(SourceSelection(device: link, among: [Self.c920, node]) == .cameras([node]))
    }

    @Test("for auto is the first camera that delivers what can be read, and then the others")
    func auto() {
        let all = [Self.locked, Self.encoder, Self.brio, Self.c920]
        let order = [Self.brio, Self.c920, Self.locked, Self.encoder]
        #expect(SourceSelection(device: "auto", among: all) == .cameras(order))
    }

    @Test("for auto is the camera that was chosen last, if it is there")
    func remembered() {
        let all = [Self.brio, Self.c920]
        #expect(
            SourceSelection(device: "auto", remembered: "usb-C920", among: all) == .cameras([Self.c920, Self.brio]))
        #expect(SourceSelection(device: "auto", remembered: "gone", among: all) == .cameras(all))
    }

    @Test("named in the config stands above what was chosen last")
    func named() {
        let selection = SourceSelection(device: "usb-Brio", remembered: "usb-C920", among: [Self.c920, Self.brio])
        #expect(selection == .cameras([Self.brio]))
    }

    @Test("for auto is the test pattern when there is no camera")
    func noCamera() {
        #expect(SourceSelection(device: "auto", remembered: "usb-C920", among: []) == .testPattern)
    }

    @Test("is never another camera than the one that is named", arguments: ["C922", "usb-C9", "/dev/video-none"])
    func neverAnother(device: String) {
        guard case .none(let mismatch) = SourceSelection(device: device, among: [Self.c920, Self.brio]) else {
            Issue.record("a camera was chosen")
            return
        }
        let message = mismatch.sentenceForConfiguration
        #expect(message.contains(device) && message.contains("usb-C920") && message.contains("usb-Brio"))
    }

    @Test("is none when a name is ambiguous, and the sentence lists the matches", arguments: ["webcam", "usb-Twin"])
    func ambiguous(device: String) throws {
        var twins = [Self.c920, Self.brio]
        for index in twins.indices { twins[index].aliases.append("usb-Twin") }
        guard case .none(let mismatch) = SourceSelection(device: device, among: twins) else {
            Issue.record("a camera was chosen")
            return
        }
        for message in [mismatch.sentenceForConfiguration, mismatch.sentenceForClient] {
            #expect(message.contains("usb-C920") && message.contains("usb-Brio"))
        }
    }
}

@Suite("A camera that went")
struct LostCameraTests {
    private let lost = DeviceNode(
        path: "/dev/video0", id: "usb-A", aliases: ["pci-1"], name: "A", driver: "uvcvideo", bus: "1")

    private func node(_ id: String, aliases: [String] = []) -> DeviceNode {
        DeviceNode(path: "/dev/video7", id: id, aliases: aliases, name: "A", driver: "uvcvideo", bus: "7")
    }

    @Test("is known again under another number, in another port")
    func renumbered() {
        let back = node("usb-A", aliases: ["pci-2"])
        #expect(lost.found(among: [node("usb-B"), back]) == back)
    }

    @Test("is known by its place when a second one of its kind has come")
    func twins() {
        let twin = node("pci-2", aliases: ["usb-A"])
        let back = node("pci-1", aliases: ["usb-A"])
        #expect(lost.found(among: [twin, back]) == back)
        #expect(lost.found(among: [twin, node("pci-3", aliases: ["usb-A"])]) == nil)
    }

    @Test("is not another one that was plugged in in its place")
    func another() {
        #expect(lost.found(among: [node("usb-B", aliases: ["pci-1"])]) == nil)
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
