import CV4L2
import Files
import FoundationEssentials
import Glibc
import Untrusted

/// A description of a capture device that is connected.
public struct DeviceNode: Equatable, Sendable {
    /// The path of its node: `/dev/video0`.
    public var path: String
    /// An identifier that survives reboots and renumbering: the name in `/dev/v4l/by-id`, else in `/dev/v4l/by-path`,
    /// else driver and bus.
    public var id: String
    /// All other stable names of this device; one may be shared with other devices.
    public var aliases: [String]
    /// The device's name.
    public var name: String
    /// The driver's name; empty if it is not known.
    public var driver: String
    /// The place where it is plugged in; empty if the node could not be opened.
    public var bus: String
    /// The pixel formats that it offers, in the driver's order.
    public var formats: [FourCC]
    /// The reason why it could not be opened; nil if it could.
    public var problem: V4L2Error?
    /// What kind of node it is.
    public var role = NodeRole.camera

    /// Returns the video capture devices of this machine, ordered by number.
    ///
    /// Nodes that are not cameras (metadata, output, codecs) are omitted. A node that this user may not open is listed
    /// with the reason.
    public static func all(in folder: String = "/dev") -> [DeviceNode] {
        let nodes = all(in: folder, open: Device.init(opening:))
        // Under libcamera's layer, the sensors are its own.
        return nodes.contains(where: \.isLibcameraLayer) ? nodes : nodes + sensors(in: folder)
    }

    /// Returns the sensors of camera modules, whose raw pictures can be read.
    ///
    /// If the media graph cannot be read, they are known only by their names, and have the reason.
    private static func sensors(in folder: String) -> [DeviceNode] {
        let sensors: [Sensor]
        do throws(V4L2Error) {
            sensors = try Sensor.all(in: folder)
        } catch {
            return unreachableSensors(in: folder, because: error)
        }
        return sensors.map { sensor in
            var node = DeviceNode(
                path: sensor.path, id: "\(sensor.name)-\(sensor.bus)".replacing(" ", with: "-"), name: sensor.name,
                driver: sensor.driver, bus: sensor.bus)
            node.role = .sensor
            do throws(V4L2Error) {
                node.formats = try Device(sensor).formats()
            } catch {
                node.problem = error
            }
            return node
        }
    }

    /// Returns the sensors, or lenses, by the names that the kernel shows everybody.
    /// - Parameter devices: The folder with the kernel's files about devices.
    static func unreachableSensors(
        in folder: String, because problem: V4L2Error, devices: String = "/sys/class/video4linux"
    ) -> [DeviceNode] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: devices)) ?? []
        return names.filter { $0.hasPrefix("v4l-subdev") }.sorted().compactMap { node in
            guard let name = SysfsNode(named: node, in: devices).text("name"), Sensor.isOnBus(name) else { return nil }
            var sensor = DeviceNode(
                path: "\(folder)/\(node)", id: name.replacing(" ", with: "-"), name: name, driver: "", bus: "",
                problem: problem)
            sensor.role = .sensor
            return sensor
        }
    }

    /// Returns the devices as `all(in:)` does, but opens them with another function.
    /// - Parameter open: Opens the device at a path.
    static func all(in folder: String, open: (_ path: String) throws(V4L2Error) -> Device) -> [DeviceNode] {
        let paths = paths("video", in: folder)
        guard !paths.isEmpty else { return [] }
        var nodes = paths.compactMap { DeviceNode(probing: $0, open) }.mergingLayerNodes()
        StableNames(nodes, in: folder).assign(to: &nodes)
        return nodes
    }

    /// Returns the paths of the device nodes of one kind, such as `video`, ordered by number.
    static func paths(_ kind: String, in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { $0.hasPrefix(kind) ? Int($0.dropFirst(kind.count)) : nil }.sorted()
            .map { "\(folder)/\(kind)\($0)" }
    }

    /// Whether libcamera's V4L2 layer presents the camera in place of the kernel; such a camera has no controls.
    public var isLibcameraLayer: Bool { driver == Capability.layerDriver }

    /// Creates a node from a path that a person wrote, without examining it.
    public init(unprobed path: String) {
        let node = path.split(separator: "/").last.map(String.init) ?? path
        self.init(path: path, id: path.sanitized(), name: node.sanitized(), driver: "", bus: "")
    }

    /// Creates a node from the given values, unchecked.
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

    /// Opens a node to examine it; nil if it is not a camera or is gone.
    private init?(probing path: String, _ open: (_ path: String) throws(V4L2Error) -> Device) {
        do throws(V4L2Error) {
            let device = try open(path)
            let capability = device.capability
            self.init(
                path: path, id: path, name: capability.card, driver: capability.driver, bus: capability.bus,
                formats: device.formats())
            role = capability.role
            if role == .imageProcessor { problem = .imageProcessor(path: path, name: capability.card) }
        } catch {
            switch error {
            case .notACamera, .notACaptureDevice, .system(_, ENODEV, _), .system(_, ENXIO, _): return nil
            default: break
            }
            self.init(unprobed: path)
            let sysfsNode = SysfsNode(named: name)
            name = sysfsNode.text("name") ?? name
            driver = sysfsNode.target("device/driver") ?? ""
            problem = error
        }
    }
}

extension DeviceNode {
    /// Returns whether a path leads to a video4linux device: a camera, or another kind such as a radio.
    ///
    /// The file is not opened.
    public static func isVideo4Linux(at path: String) -> Bool {
        // A C string would end at a NUL and mean another path.
        guard !path.utf8.contains(0) else { return false }
        return isVideo4Linux(try? FileStatus(of: path, followsLink: true))
    }

    /// Returns whether a path leads to the device node of a part of a media graph, such as a sensor.
    static func isSubdevice(_ path: String) -> Bool {
        URL(filePath: path).resolvingSymlinksInPath().lastPathComponent.hasPrefix("v4l-subdev")
    }

    /// Returns whether an open file is a video4linux device, or what libcamera's V4L2 layer opens in its place: an
    /// event file descriptor, which has no file type. No path leads to such a file, so no other file can pass for it.
    static func isVideo4Linux(_ descriptor: borrowing FileDescriptor) -> Bool {
        let status = try? descriptor.status
        return status?.kind == 0 || isVideo4Linux(status)
    }

    private static func isVideo4Linux(_ status: FileStatus?) -> Bool {
        status.map { $0.kind == S_IFCHR && cv4l2_major($0.fields.st_rdev) == CV4L2_MAJOR } ?? false
    }
}

extension [DeviceNode] {
    /// Returns the nodes without those in whose place libcamera's layer presents a camera that is in the list already:
    /// it does so for every node of a camera's media graph. The paths of the others become aliases of the first.
    fileprivate func mergingLayerNodes() -> [DeviceNode] {
        reduce(into: []) { merged, node in
            let twin = merged.firstIndex { $0.isLibcameraLayer && node.isLibcameraLayer && $0.bus == node.bus }
            if let twin {
                merged[twin].aliases.append(node.path)
            } else {
                merged.append(node)
            }
        }
    }
}
