import ArgumentParser
import Untrusted
import V4L2

/// The command `swatchcam cameras`, which lists the cameras and their capabilities.
struct CamerasCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the cameras with their formats and controls.")

    @Flag(help: "Print one JSON array.")
    var json = false

    func run() throws { try show(DeviceNode.all().map(CameraDescription.init), on: .standard) }

    func show(_ cameras: [CameraDescription], on console: Console) throws(Failure) {
        if json {
            try console.write(json: JSONText.data(of: cameras, isPretty: true))
        } else if cameras.isEmpty {
            console.printError("No camera found.")
        } else {
            try console.write(cameras.map(\.text).joined(separator: "\n\n"))
        }
    }
}
