import Foundation
import Testing

@testable import V4L2

@Suite("Stable names")
struct StableNamesTests {
    private typealias Candidates = StableNames.Candidates

    private func ids(_ candidates: [Candidates]) -> [String] { StableNames(candidates).names.map(\.id) }

    @Test("a camera's id is its by-id name, else its by-path name, else driver and bus")
    func order() {
        let full = Candidates(byID: ["usb-A"], byPath: ["pci-1"], fallback: "uvcvideo-1", usbIdentity: "1:2:3:0")
        let path = Candidates(byPath: ["pci-2", "pci-usbv2"], fallback: "uvcvideo-2", usbIdentity: "1:2:4:0")
        let bare = Candidates(fallback: "vivid-platform:vivid-000")
        #expect(ids([full, path, bare]) == ["usb-A", "pci-2", "vivid-platform:vivid-000"])
        #expect(StableNames([full]).names[0].aliases == ["pci-1", "uvcvideo-1"])
    }

    @Test("cameras with one serial number are told apart by their paths, whichever of them udev named")
    func triplets() {
        let cameras = (1...3).map {
            Candidates(
                byID: $0 == 2 ? ["usb-A"] : [], byPath: ["pci-\($0)"], fallback: "uvcvideo-\($0)", usbIdentity: "1:2::0"
            )
        }
        let other = Candidates(byID: ["usb-B"], byPath: ["pci-4"], fallback: "uvcvideo-4", usbIdentity: "1:2:7:0")
        let names = StableNames(cameras + [other]).names
        #expect(names.map(\.id) == ["pci-1", "pci-2", "pci-3", "usb-B"])
        // They keep the shared name as an alias, which is then ambiguous.
        #expect(names.prefix(3).map(\.aliases) == (1...3).map { ["usb-A", "uvcvideo-\($0)"] })
        #expect(names[3].aliases == ["pci-4", "uvcvideo-4"])
    }

    @Test("each node gets its id and its aliases")
    func assignment() {
        var nodes = [1, 2].map { DeviceNode(path: "/dev/video\($0)", id: "", name: "Cam", driver: "uvcvideo", bus: "") }
        let names = StableNames([
            Candidates(byID: ["usb-A"], fallback: "uvcvideo-1"), Candidates(byID: ["usb-B"], fallback: "uvcvideo-2"),
        ])
        names.assign(to: &nodes)
        #expect(nodes.map(\.id) == ["usb-A", "usb-B"])
        #expect(nodes.map(\.aliases) == [["uvcvideo-1"], ["uvcvideo-2"]])
    }

    @Test("udev's links are listed by the node that they point to, in alphabetical order, sanitized")
    func links() throws {
        let files = FileManager.default
        // Foundation does not resolve a link to a missing file.
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").resolvingSymlinksInPath()
        defer { try? files.removeItem(at: folder) }
        try files.createDirectory(at: folder.appending(path: "by-id"), withIntermediateDirectories: true)
        for node in ["video0", "video1"] { try Data().write(to: folder.appending(path: node)) }
        for (name, node) in [("b", "video0"), ("a", "video0"), ("c\u{1B}", "video1")] {
            try files.createSymbolicLink(
                atPath: folder.path + "/by-id/" + name, withDestinationPath: "../\(node)")
        }
        #expect(
            StableNames.links(in: folder.path + "/by-id")
                == [folder.path + "/video0": ["a", "b"], folder.path + "/video1": ["c\u{FFFD}"]])
        #expect(StableNames.links(in: folder.path + "/by-path").isEmpty)
    }

    @Test("without udev a node is named by driver and bus, or by its path if the bus is unknown")
    func fallback() {
        let nodes = [("usb-1", "/dev/none/video0"), ("", "/dev/none/video1")].map { bus, path in
            DeviceNode(path: path, id: "", name: "Cam", driver: "uvcvideo", bus: bus)
        }
        #expect(StableNames(nodes, in: "/dev/none").names.map(\.id) == ["uvcvideo-usb-1", "/dev/none/video1"])
    }

    @Test("udev's names are found in the folders by-id and by-path")
    func folders() throws {
        let files = FileManager.default
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").resolvingSymlinksInPath().path
        defer { try? files.removeItem(atPath: folder) }
        for kind in ["by-id", "by-path"] {
            try files.createDirectory(atPath: folder + "/v4l/" + kind, withIntermediateDirectories: true)
            try files.createSymbolicLink(
                atPath: "\(folder)/v4l/\(kind)/name-\(kind)", withDestinationPath: "../../video0")
        }
        try Data().write(to: URL(filePath: folder + "/video0"))
        let node = DeviceNode(path: folder + "/video0", id: "", name: "Cam", driver: "uvcvideo", bus: "usb-1")
        let names = StableNames([node], in: folder).names
        #expect(names.first?.id == "name-by-id")
        #expect(names.first?.aliases == ["name-by-path", "uvcvideo-usb-1"])
    }

    @Test("the nodes of one camera have different ids without udev")
    func sensors() {
        let node = Candidates(fallback: "uvcvideo-usb-1")
        #expect(ids([node, node, node]) == ["uvcvideo-usb-1", "uvcvideo-usb-1-2", "uvcvideo-usb-1-3"])
    }
}

@Suite("A device in sysfs")
struct SysfsNodeTests {
    /// Runs `body` with a device as the kernel describes it: `device` is a link to the USB interface, which lies in the
    /// USB device.
    private func withDevice(_ texts: [String: String], _ body: (SysfsNode) throws -> Void) throws {
        let files = FileManager.default
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").path
        defer { try? files.removeItem(atPath: folder) }
        for name in ["usb/interface", "drivers/uvcvideo", "video0"] {
            try files.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: folder + "/video0/device", withDestinationPath: "../usb/interface")
        try files.createSymbolicLink(
            atPath: folder + "/usb/interface/driver", withDestinationPath: "../../drivers/uvcvideo")
        for (name, text) in texts { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }
        try body(SysfsNode(named: "video0", in: folder))
    }

    @Test(
        "a text is read without the white space at its end, and sanitized",
        arguments: [
            ("HD Webcam\n", "HD Webcam"), (" a \n\n", " a"), ("a\u{1B}b", "a\u{FFFD}b"), ("\n", nil), ("", nil),
        ])
    func text(content: String, expected: String?) throws {
        try withDevice(["video0/name": content]) { #expect($0.text("name") == expected) }
    }

    @Test("a USB device is identified by vendor, product, serial number and index, and its driver is the end of a link")
    func identity() throws {
        let texts = ["usb/idVendor": "046d\n", "usb/idProduct": "082d\n"]
        try withDevice(texts) { #expect($0.usbIdentity == "046d:082d::") }
        let more = texts.merging(["usb/serial": "A1\n", "video0/index": "0\n"]) { first, _ in first }
        try withDevice(more) { #expect($0.usbIdentity == "046d:082d:A1:0") }
        try withDevice(["usb/idVendor": "046d\n"]) { device in
            #expect(device.usbIdentity == nil && device.text("name") == nil)
            #expect(device.target("device/driver") == "uvcvideo" && device.target("none") == nil)
        }
    }
}
