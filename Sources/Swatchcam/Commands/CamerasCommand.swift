import ArgumentParser
import Untrusted
import V4L2

/// The command `swatchcam cameras`, which lists the cameras and their capabilities.
struct CamerasCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the cameras with their formats and controls.")

    @Flag(help: "Print one JSON array.")
    var json = false

    func run() throws {
        let cameras = DeviceNode.all().map(CameraDescription.init)
        if json {
            try Console.write(json: JSONText.data(of: cameras, isPretty: true))
        } else if cameras.isEmpty {
            Console.printError("No camera found.")
        } else {
            try Console.write(cameras.map(\.text).joined(separator: "\n\n"))
        }
    }
}
