import FoundationEssentials
import Glibc
import Untrusted

/// A capture device that is there, as far as one can see without holding it open.
public struct DeviceNode: Equatable, Sendable {
    /// `/dev/video0`.
    public var path: String
    /// Survives reboots and renumbering: the name in `/dev/v4l/by-id`, else in `/dev/v4l/by-path`, else driver and bus.
    public var id: String
    /// Every other stable name that means this device, perhaps among others.
    public var aliases: [String]
    /// The device's name.
    public var name: String
    /// The driver's name; empty if it is not known.
    public var driver: String
    /// Where it is plugged in; empty if the node could not be opened.
    public var bus: String
    /// The pixel formats that it offers, in the driver's order.
    public var formats: [FourCC]
    /// Why it could not be opened; nil if it could.
    public var problem: V4L2Error?

    /// Every video capture device of this machine, in the order of its number.
    ///
    /// Nodes that are no cameras (metadata, output, codecs) are left out; one that this user may not open is listed
    /// with the reason.
    public static func all(in folder: String = "/dev") -> [DeviceNode] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }.sorted()
        guard !numbers.isEmpty else { return [] }
        var nodes = numbers.compactMap { DeviceNode(probing: "\(folder)/video\($0)") }
        StableNames(nodes, in: folder).assign(to: &nodes)
        return nodes
    }

    /// A node that a person names and nobody has looked at.
    public init(unprobed path: String) {
        let node = path.split(separator: "/").last.map(String.init) ?? path
        self.init(path: path, id: path.sanitized(), name: node.sanitized(), driver: "", bus: "")
    }

    /// A node as it is described.
    public init(
        path: String, id: String, aliases: [String] = [], name: String, driver: String, bus: String,
        formats: [FourCC] = [], problem: V4L2Error? = nil
    ) {
        self.path = path
        self.id = id
        self.aliases = aliases
        self.name = name
        self.driver = driver
        self.bus = bus
        self.formats = formats
        self.problem = problem
    }

    /// - Returns: Nil if it is no camera, or is gone.
    private init?(probing path: String) {
        do throws(V4L2Error) {
            let device = try Device(opening: path)
            let capability = device.capability
            self.init(
                path: path, id: path, name: capability.card, driver: capability.driver, bus: capability.bus,
                formats: device.formats())
        } catch {
            switch error {
            case .notACamera, .notACaptureDevice, .system(_, ENODEV, _), .system(_, ENXIO, _): return nil
            default: break
            }
            self.init(unprobed: path)
            let file = SystemFile(ofNode: name)
            name = file.text("name") ?? name
            driver = file.target("device/driver") ?? ""
            problem = error
        }
    }
}
