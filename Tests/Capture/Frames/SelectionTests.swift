import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The source that the configuration means")
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
        "a camera is found by its node, its id, another stable name, or part of its name",
        arguments: [
            ("/dev/video2", brio), ("usb-C920", c920), ("pci-2", brio), ("uvcvideo-1", c920), ("brio", brio),
            ("Pro Webcam", c920),
        ])
    func found(device: String, node: DeviceNode) {
        #expect(SourceSelection(device: device, among: [Self.c920, Self.brio]) == .cameras([node]))
    }

    @Test("a camera is found by a link to its node")
    func link() throws {
        let folder = try TemporaryFolder(["video2": ""])
        var node = Self.brio
        node.path = folder.path + "/video2"
        let link = folder.path + "/my-camera"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: node.path)
        #expect(SourceSelection(device: link, among: [Self.c920, node]) == .cameras([node]))
    }

    @Test("a list of cameras within a sentence names six and counts the others")
    func enumeration() {
        let nodes = (0..<8).map { DeviceNode(path: "/v\($0)", id: "i\($0)", name: "N\($0)", driver: "", bus: "") }
        let six = (0..<6).map { "N\($0) (/v\($0), id i\($0))" }.joined(separator: "; ")
        #expect(Array(nodes.prefix(6)).enumeration == six)
        #expect(nodes.enumeration == six + "; and 2 more")
    }

    @Test("auto means the cameras with a readable format first, and then the others")
    func auto() {
        let all = [Self.locked, Self.encoder, Self.brio, Self.c920]
        let order = [Self.brio, Self.c920, Self.locked, Self.encoder]
        #expect(SourceSelection(device: "auto", among: all) == .cameras(order))
    }

    @Test("auto prefers the camera that was chosen last, if it is present")
    func remembered() {
        let all = [Self.brio, Self.c920]
        #expect(
            SourceSelection(device: "auto", remembered: "usb-C920", among: all) == .cameras([Self.c920, Self.brio]))
        #expect(SourceSelection(device: "auto", remembered: "gone", among: all) == .cameras(all))
    }

    @Test("a camera named in the configuration takes precedence over the one chosen last")
    func named() {
        let selection = SourceSelection(device: "usb-Brio", remembered: "usb-C920", among: [Self.c920, Self.brio])
        #expect(selection == .cameras([Self.brio]))
    }

    @Test("auto means the test pattern if there is no camera")
    func noCamera() {
        #expect(SourceSelection(device: "auto", remembered: "usb-C920", among: []) == .testPattern)
    }

    @Test(
        "a named camera that is missing is never replaced by another", arguments: ["C922", "usb-C9", "/dev/video-none"])
    func neverAnother(device: String) {
        guard case .none(let mismatch) = SourceSelection(device: device, among: [Self.c920, Self.brio]) else {
            Issue.record("a camera was chosen")
            return
        }
        let message = mismatch.sentenceForConfiguration
        #expect(message.contains(device) && message.contains("usb-C920") && message.contains("usb-Brio"))
    }

    @Test("an ambiguous name means no camera, and the message lists the matches", arguments: ["webcam", "usb-Twin"])
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

@Suite("A camera that was unplugged")
struct LostCameraTests {
    private let lost = DeviceNode(
        path: "/dev/video0", id: "usb-A", aliases: ["pci-1"], name: "A", driver: "uvcvideo", bus: "1")

    private func node(_ id: String, aliases: [String] = []) -> DeviceNode {
        DeviceNode(path: "/dev/video7", id: id, aliases: aliases, name: "A", driver: "uvcvideo", bus: "7")
    }

    @Test("a camera is recognised under another number and in another port")
    func renumbered() {
        let back = node("usb-A", aliases: ["pci-2"])
        #expect(lost.found(among: [node("usb-B"), back]) == back)
    }

    @Test("a camera is recognised by its port after a second one of its kind was plugged in")
    func twins() {
        let twin = node("pci-2", aliases: ["usb-A"])
        let back = node("pci-1", aliases: ["usb-A"])
        #expect(lost.found(among: [twin, back]) == back)
        #expect(lost.found(among: [twin, node("pci-3", aliases: ["usb-A"])]) == nil)
    }

    @Test("another camera in the same port is not mistaken for the lost one")
    func another() {
        #expect(lost.found(among: [node("usb-B", aliases: ["pci-1"])]) == nil)
    }
}

@Suite("The format to request from a camera")
struct FormatSelectionTests {
    private func offer(_ fourCC: FourCC, _ sizes: [(Int, Int, Double)]) -> OfferedFormat {
        OfferedFormat(
            fourCC: fourCC, name: "",
            sizes: .discrete(sizes.map { .init(width: $0.0, height: $0.1, rates: [$0.2]) }))
    }

    @Test("auto takes a format that comes in the wanted size at the wanted rate")
    func fitting() {
        let offered = [offer("RGB3", [(640, 480, 5)]), offer("YUYV", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("YUYV"))
    }

    @Test("auto takes a readable format even if none has the wanted size and rate")
    func nothingFits() {
        let offered = [offer("H264", [(640, 480, 30)]), offer("GREY", [(320, 240, 5)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("GREY"))
    }

    @Test("auto takes MJPG if no raw format comes at the wanted rate")
    func compressed() {
        let offered = [offer("YUYV", [(640, 480, 5)]), offer("MJPG", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("MJPG"))
    }

    @Test("a rate of 29.995 satisfies 30, and 29.97 does not", arguments: [(29.995, "YUYV"), (29.97, "MJPG")])
    func nearlyTheRate(rate: Double, taken: FourCC) {
        var camera = Config.Camera()
        camera.fps = 30
        let offered = [offer("YUYV", [(640, 480, rate)]), offer("MJPG", [(640, 480, 30)])]
        #expect(FormatSelection(camera, offered: offered) == .format(taken))
    }

    @Test("auto prefers colour to grey")
    func colorFirst() {
        let offered = [offer("GREY", [(640, 480, 30)]), offer("NV12", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("NV12"))
    }

    @Test(
        "no format is taken if none can be read, and the message lists those that the camera offers",
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

    @Test(
        "a format in the wanted width alone, or in the wanted height alone, is not preferred",
        arguments: [(640, 360), (800, 480)])
    func otherSize(width: Int, height: Int) {
        let offered = [offer("YUYV", [(width, height, 30)]), offer("MJPG", [(640, 480, 30)])]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("MJPG"))
    }

    @Test("a format whose rates the driver does not report comes at the wanted rate")
    func unknownRates() {
        let size = OfferedFormat.Size(width: 640, height: 480, rates: [])
        let offered = [
            OfferedFormat(fourCC: "YUYV", name: "", sizes: .discrete([size])), offer("MJPG", [(640, 480, 30)]),
        ]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("YUYV"))
    }

    @Test(
        "a format that comes in all sizes of a range comes in the wanted size if the range contains it",
        arguments: [
            (640...1920, 480...1080, "YUYV"), (16...640, 16...480, "YUYV"), (641...1920, 480...1080, "MJPG"),
            (640...1920, 481...1080, "MJPG"),
        ] as [(ClosedRange<Int>, ClosedRange<Int>, FourCC)])
    func stepwise(widths: ClosedRange<Int>, heights: ClosedRange<Int>, taken: FourCC) {
        let offered = [
            OfferedFormat(
                fourCC: "YUYV", name: "",
                sizes: .stepwise(width: widths, widthStep: 1, height: heights, heightStep: 1)),
            offer("MJPG", [(640, 480, 30)]),
        ]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format(taken))
    }

    @Test(
        "a format that is not taken is explained",
        arguments: [
            ("H264", ["H264"], "Swatchcam does not read the format H264, only ", " The camera offers: H264."),
            ("YUYV", ["H264"], "The camera does not offer the format YUYV. ", "The camera offers: H264."),
            ("auto", ["H264"], "Swatchcam reads none of this camera's formats. The camera offers: H264. ", "."),
            ("YUYV", [], "The camera does not offer the format YUYV. ", "The camera offers none."),
        ] as [(String, [FourCC], String, String)])
    func explained(format: String, offered: [FourCC], start: String, end: String) {
        var camera = Config.Camera()
        camera.format = format
        guard case .unsupported(let message) = FormatSelection(camera, offered: offered.map { offer($0, []) }) else {
            Issue.record("a format was chosen")
            return
        }
        #expect(message.hasPrefix(start) && message.hasSuffix(end), "\(message)")
    }
}
