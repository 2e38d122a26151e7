import Foundation
import Testing

@testable import V4L2

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

    @Test("a missing text or link is nil")
    func missing() throws {
        try withDevice([:]) { device in
            #expect(device.text("name") == nil)
            #expect(device.target("none") == nil)
        }
    }

    @Test("the driver is the last part of a link")
    func driver() throws {
        try withDevice([:]) { #expect($0.target("device/driver") == "uvcvideo") }
    }

    @Test("a USB device is identified by vendor, product, serial number and index")
    func identity() throws {
        let texts = ["usb/idVendor": "046d\n", "usb/idProduct": "082d\n"]
        try withDevice(texts) { #expect($0.usbIdentity == "046d:082d::") }
        let more = texts.merging(["usb/serial": "A1\n", "video0/index": "0\n"]) { first, _ in first }
        try withDevice(more) { #expect($0.usbIdentity == "046d:082d:A1:0") }
        try withDevice(["usb/idVendor": "046d\n"]) { #expect($0.usbIdentity == nil) }
    }
}
