import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The source that the configuration means")
struct SourceSelectionTests {
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
            ("/dev/video2", brio), ("usb-C920", .c920), ("pci-2", brio), ("uvcvideo-1", .c920), ("brio", brio),
            ("Pro Webcam", .c920),
        ])
    func found(device: String, node: DeviceNode) {
        #expect(SourceSelection(device: device, among: [.c920, Self.brio]) == .cameras([node]))
    }

    @Test("a camera is found by a link to its node")
    func link() throws {
        let folder = try TemporaryFolder(["video2": ""])
        var node = Self.brio
        node.path = folder.path + "/video2"
        let link = folder.path + "/my-camera"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: node.path)
        #expect(SourceSelection(device: link, among: [.c920, node]) == .cameras([node]))
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
        let all = [Self.locked, Self.encoder, Self.brio, .c920]
        let order = [Self.brio, .c920, Self.locked, Self.encoder]
        #expect(SourceSelection(device: "auto", among: all) == .cameras(order))
    }

    @Test("a camera is found by the path of another of its nodes")
    func otherNode() {
        var camera = DeviceNode.c920
        camera.aliases.append("/dev/video7")
        #expect(SourceSelection(device: "/dev/video7", among: [Self.brio, camera]) == .cameras([camera]))
    }

    @Test(
        "auto leaves out what is not a camera by itself, unless a person has chosen it",
        arguments: [NodeRole.receiver, .imageProcessor])
    func notACamera(role: NodeRole) {
        var module = DeviceNode.c920
        module.role = role
        #expect(SourceSelection(device: "auto", among: [module]) == .testPattern)
        #expect(SourceSelection(device: "auto", among: [module, Self.brio]) == .cameras([Self.brio]))
        let chosen = SourceSelection(device: "auto", remembered: "usb-C920", among: [module, Self.brio])
        #expect(chosen == .cameras([module, Self.brio]))
        #expect(SourceSelection(device: "usb-C920", among: [module]) == .cameras([module]))
    }

    @Test("auto prefers the camera that was chosen last, if it is present")
    func remembered() {
        let all = [Self.brio, .c920]
        #expect(
            SourceSelection(device: "auto", remembered: "usb-C920", among: all) == .cameras([.c920, Self.brio]))
        #expect(SourceSelection(device: "auto", remembered: "gone", among: all) == .cameras(all))
    }

    @Test("a camera named in the configuration takes precedence over the one chosen last")
    func named() {
        let selection = SourceSelection(device: "usb-Brio", remembered: "usb-C920", among: [.c920, Self.brio])
        #expect(selection == .cameras([Self.brio]))
    }

    @Test("auto means the test pattern if there is no camera")
    func noCamera() {
        #expect(SourceSelection(device: "auto", remembered: "usb-C920", among: []) == .testPattern)
    }

    @Test(
        "a named camera that is missing is never replaced by another", arguments: ["C922", "usb-C9", "/dev/video-none"])
    func neverAnother(device: String) {
        guard case .noMatch(let mismatch) = SourceSelection(device: device, among: [.c920, Self.brio]) else {
            Issue.record("a camera was chosen")
            return
        }
        let message = mismatch.sentenceForConfiguration
        #expect(message.contains(device) && message.contains("usb-C920") && message.contains("usb-Brio"))
    }

    @Test("an ambiguous name means no camera, and the message lists the matches", arguments: ["webcam", "usb-Twin"])
    func ambiguous(device: String) throws {
        var twins = [.c920, Self.brio]
        for index in twins.indices { twins[index].aliases.append("usb-Twin") }
        guard case .noMatch(let mismatch) = SourceSelection(device: device, among: twins) else {
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
