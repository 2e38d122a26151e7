import Color
import Dashboard
import Documents
import FoundationEssentials
import Readings

/// A summary of a reading for people.
struct ReadingReport {
    private struct Document: Decodable {
        struct Camera: Decodable {
            var name: String
            var device: String?
        }

        struct Frame: Decodable {
            var width: Int
            var height: Int
            var format: String
        }

        struct Rate: Decodable {
            var capture: Double?
            var wanted: Double?
        }

        struct Notice: Decodable {
            var message: String
        }

        var state: String
        var since: String
        var message: String?
        var hex: String?
        var rgb: RGB8?
        var brightness: Double?
        var camera: Camera?
        var frame: Frame?
        var rate: Rate
        var dropped: Int
        var notices: [Notice]
    }

    /// The maximum number of notices to print, and of lines in each.
    private static let maxLines = 10

    private let document: Document

    /// Creates a report from a response; nil if it is not from Swatchcam.
    init?(_ response: InstanceResponse) {
        guard response.status == 200, let document = response.decoded(as: Document.self) else { return nil }
        self.document = document
    }

    var text: String {
        var lines = ["State: \(document.state.excerpt) since \(document.since.excerpt)"]
        if let message = document.message { lines.append(message.excerpt) }
        if let hex = document.hex, let rgb = document.rgb, let brightness = document.brightness {
            let channels = "R: \(rgb.r) G: \(rgb.g) B: \(rgb.b)"
            lines.append("Colour: \(hex.excerpt)  \(channels)  brightness \(Self.rounded(brightness, 2))")
        }
        if let camera = document.camera {
            let frame = document.frame.map { ", \($0.format.excerpt) \($0.width)x\($0.height)" } ?? ""
            lines.append("Camera: \(camera.name.excerpt)\(camera.device.map { " (\($0.excerpt))" } ?? "")\(frame)")
        }
        let rates = [
            document.rate.capture.map { ("frames", $0) },
            document.rate.wanted.map { ("readings while somebody watches", $0) },
        ].compactMap(\.self).map { "\(Self.rounded($0.1, 1)) \($0.0)" }
        lines.append("Per second: \(rates.joined(separator: ", ")); \(document.dropped) frames dropped so far")
        lines += document.notices.prefix(Self.maxLines).map { "Notice: \(Self.indented($0.message))" }
        return lines.joined(separator: "\n")
    }

    /// Rounds a number and limits its size. Swatchcam's numbers are small, but another program's may have 300 digits.
    private static func rounded(_ number: Double, _ decimals: Int) -> String {
        min(max(number, -1e6), 1e6).formatted(decimals: decimals)
    }

    /// Indents all lines of a notice but the first, so that they cannot be mistaken for lines of the report.
    private static func indented(_ message: String) -> String {
        message.split(separator: "\n").prefix(maxLines).map { String($0).excerpt }.joined(separator: "\n    ")
    }
}
