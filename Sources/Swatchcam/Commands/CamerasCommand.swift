import ArgumentParser
import Configuration
import Dashboard
import Documents
import Readings
import State
import Untrusted
import V4L2

/// The command `swatchcam cameras`, which lists the cameras and their capabilities.
struct CamerasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the cameras with their formats and controls.")

    @Flag(help: "Print one JSON array.")
    var json = false

    @Flag(help: "Print everything about all video devices, for a report about hardware. It has no serial numbers.")
    var report = false

    func run() async throws {
        guard report else {
            try show(DeviceNode.all().map(CameraDescription.init), on: .standard)
            return
        }
        let web = (try? Settings(explicit: nil, options: ConfigOverrides()).effective.web) ?? Config().web
        let lines = ["swatchcam \(App.version)"] + HardwareReport.lines() + (await Self.faults(InstanceClient(web)))
        try Console.standard.write(lines.joined(separator: "\n"))
    }

    /// Returns a line with the faults of frames that the running instance has counted; none if no instance answers.
    static func faults(_ client: InstanceClient) async -> [String] {
        struct List: Decodable {
            struct Fault: Decodable {
                var kind: String
                var frames: UInt64
            }

            var faults: [Fault]
        }
        guard let list = await client.get("/api/cameras")?.decoded(as: List.self) else { return [] }
        let counts = list.faults.prefix(20).map { "\($0.kind.sanitized(limit: 20)) \($0.frames)" }
        return ["faults of frames, counted by the running Swatchcam: \(counts.isEmpty ? "none" : counts.list)"]
    }

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

/// A camera as `swatchcam cameras` prints it.
struct CameraDescription: Encodable {
    struct Format: Encodable {
        var fourcc: String
        var name: String
        /// The sizes; for a range of sizes, the smallest and the largest.
        var sizes: [OfferedFormat.Size]
        var isRange: Bool
    }

    var name: String
    var id: String
    var device: String
    var driver: String
    var bus: String
    /// The reason why the camera cannot be used; nil if it can.
    var problem: String?
    /// What people have to know before they use it; nil for an ordinary camera.
    var note: String?
    var formats: [Format] = []
    var controls: [ControlDocument] = []

    init(_ node: DeviceNode) {
        name = node.name
        id = node.id
        device = node.path
        driver = node.driver
        bus = node.bus
        if node.role == .imageProcessor {
            problem = node.problem?.description
            return
        }
        if node.role == .receiver { note = "the receiver of a camera module. \(V4L2Error.moduleAdvice)" }
        do throws(V4L2Error) {
            describe(try Device(opening: node.path))
        } catch {
            problem = error.description
        }
    }

    /// Describes a camera that is already open.
    init(_ node: DeviceNode, _ device: borrowing Device) {
        (name, id, self.device, driver, bus) = (node.name, node.id, node.path, node.driver, node.bus)
        describe(device)
    }

    private mutating func describe(_ device: borrowing Device) {
        formats = device.offeredFormats().map(Format.init)
        let all = device.controls()
        controls = all.map { ControlDocument($0, among: all) }
    }

    /// The description for people.
    var text: String {
        var lines = ["\(name)", "  id       \(id)", "  device   \(device)"]
        if let problem { return (lines + ["  problem  \(problem)"]).joined(separator: "\n") }
        if let note { lines.append("  note     \(note)") }
        lines += ["  driver   \(driver)", "  bus      \(bus)", "  formats"]
        lines += formats.map { "    \($0.text)" }
        lines += ["  controls"]
        lines += controls.map { "    \($0.text)" }
        return lines.joined(separator: "\n")
    }
}

extension CameraDescription.Format {
    init(_ format: OfferedFormat) {
        fourcc = format.fourCC.description
        name = format.name
        switch format.sizes {
        case .discrete(let all):
            isRange = false
            sizes = all
        case .stepwise(let width, _, let height, _):
            isRange = true
            sizes = [(width.lowerBound, height.lowerBound), (width.upperBound, height.upperBound)].map {
                .init(width: $0.0, height: $0.1, rates: [])
            }
        }
    }

    var text: String {
        let list = sizes.map { size in
            let rates = size.rates.map { $0.formatted(decimals: $0 == $0.rounded() ? 0 : 2) }.joined(separator: "/")
            return "\(size.width)x\(size.height)" + (rates.isEmpty ? "" : "@\(rates)")
        }
        return "\(fourcc)  \(name): \(list.joined(separator: isRange ? "..." : " "))"
    }
}
