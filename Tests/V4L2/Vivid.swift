import Foundation
public import Testing
public import V4L2

/// The kernel's V4L2 test driver, if it is loaded: in the lab, or on a machine that has it.
enum Vivid {
    /// The cameras of the driver, one for each API; none if it is not loaded.
    static let nodes = DeviceNode.all().filter { $0.driver == "vivid" && $0.problem == nil }
    static let isPresent = !nodes.isEmpty

    /// Sets controls of the driver, which select its picture and inject faults.
    static func set(_ controls: String, on node: DeviceNode) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/v4l2-ctl")
        process.arguments = ["-d", node.path, "-c", controls]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "v4l2-ctl could not set \(controls)")
    }
}

extension DeviceNode: CustomTestStringConvertible {
    /// The path of the node.
    public var testDescription: String { path }
}
