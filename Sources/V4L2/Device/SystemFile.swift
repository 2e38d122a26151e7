import FoundationEssentials
import Untrusted

/// What the kernel tells of a video device in `/sys/class/video4linux`.
struct SystemFile {
    private let folder: String

    /// - Parameter node: `video0`.
    init(ofNode node: String) {
        folder = "/sys/class/video4linux/" + node
    }

    /// The text of a file, without white space at its end, fit to be shown; nil if there is none.
    func text(_ name: String) -> String? {
        guard let bytes = try? Data(contentsOf: URL(filePath: folder + "/" + name)) else { return nil }
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? nil : String(text).sanitized()
    }

    /// The last part of what a link points to; nil if there is none.
    func target(_ name: String) -> String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
        return path?.split(separator: "/").last.map { String($0).sanitized() }
    }

    /// What udev makes a `by-id` name of: vendor, product and serial number of the USB device, and which of the
    /// device's nodes it is. Nil for what is no USB device.
    var usbIdentity: String? {
        // `device` is the USB interface, above it is the USB device.
        guard let vendor = text("device/../idVendor"), let product = text("device/../idProduct") else { return nil }
        let serial = text("device/../serial") ?? ""
        return [vendor, product, serial, text("index") ?? ""].joined(separator: ":")
    }
}
