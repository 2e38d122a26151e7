import FoundationEssentials
import Untrusted

/// The kernel's files about a video device in `/sys/class/video4linux`.
struct SysfsNode {
    private let folder: String

    /// Creates access to the files of a node.
    /// - Parameter node: The node's name, such as `video0`.
    init(named node: String, in devices: String = "/sys/class/video4linux") {
        folder = devices + "/" + node
    }

    /// Returns the text of a file, sanitized and without trailing white space; nil if there is none.
    func text(_ name: String) -> String? {
        guard let bytes = try? Data(contentsOf: URL(filePath: folder + "/" + name)) else { return nil }
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? nil : String(text).sanitized()
    }

    /// Returns the last path component of a link's target; nil if there is none.
    func target(_ name: String) -> String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
        return path?.split(separator: "/").last.map { String($0).sanitized() }
    }

    /// The parts from which udev makes a `by-id` name: the USB device's vendor, product and serial number, and the
    /// index of the node. Nil if it is not a USB device.
    var usbIdentity: String? {
        // `device` is the USB interface; its parent is the USB device.
        guard let vendor = text("device/../idVendor"), let product = text("device/../idProduct") else { return nil }
        let serial = text("device/../serial") ?? ""
        return [vendor, product, serial, text("index") ?? ""].joined(separator: ":")
    }
}
