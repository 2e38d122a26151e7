import Foundation
public import Testing
public import V4L2

/// The kernel's own V4L2 test driver, where there is one: in the lab, or on a machine that has loaded it.
enum Vivid {
    /// One camera of each API, if the driver is there.
    static let nodes = DeviceNode.all().filter { $0.driver == "vivid" && $0.problem == nil }
    static let isPresent = !nodes.isEmpty

    /// Sets the driver's controls, its way to show a known picture and to inject faults.
    static func set(_ controls: String, on node: DeviceNode) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/v4l2-ctl")
        process.arguments = ["-d", node.path, "-c", controls]
        try process.run()
        process.waitUntilExit()
    }
}

extension DeviceNode: CustomTestStringConvertible {
    /// Where it is.
    public var testDescription: String { path }
}
