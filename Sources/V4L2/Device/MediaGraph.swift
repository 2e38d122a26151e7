import CV4L2
import Files
import FoundationEssentials
import Glibc

/// The parts of a media device and their links (`MEDIA_IOC_G_TOPOLOGY`), as the kernel's documentation "Media
/// Controller" defines them.
struct MediaGraph: Equatable, Sendable {
    struct Entity: Equatable, Sendable {
        var id: UInt32
        /// The driver's name for it: `imx219 10-0010`.
        var name: String
        /// `MEDIA_ENT_F_*`.
        var function: UInt32
        /// The path of its device node; nil if it has none.
        var node: String?
    }

    struct Pad: Equatable, Sendable {
        var id: UInt32
        var entity: UInt32
        var index: UInt32
    }

    /// A link from the source pad of one entity to the sink pad of another.
    struct Link: Equatable, Sendable {
        var source: UInt32
        var sink: UInt32
        /// `MEDIA_LNK_FL_*`.
        var flags: UInt32

        var isEnabled: Bool { flags & UInt32(MEDIA_LNK_FL_ENABLED) != 0 }
    }

    /// A link with what it connects.
    struct Step: Equatable, Sendable {
        var source: Pad
        var sink: Pad
        /// The entity of the sink pad.
        var target: Entity
        /// `MEDIA_LNK_FL_*` of the link.
        var flags: UInt32

        var isEnabled: Bool { flags & UInt32(MEDIA_LNK_FL_ENABLED) != 0 }
        var isImmutable: Bool { flags & UInt32(MEDIA_LNK_FL_IMMUTABLE) != 0 }
    }

    var entities: [Entity] = []
    var pads: [Pad] = []
    var links: [Link] = []

    /// The sensors that have a device node, through which they are set up.
    var sensors: [Entity] { entities.filter { $0.function == UInt32(MEDIA_ENT_F_CAM_SENSOR) && $0.node != nil } }

    /// Returns the routes from a sensor to nodes that capture its pictures, shortest first: on a short route, pictures
    /// are not processed. Of equally short routes, those through pads with low numbers come first, because the others
    /// carry what is not a picture, such as a sensor's registers.
    func paths(from sensor: Entity) -> [[Step]] {
        var found: [[Step]] = []
        var open: [[Step]] = steps(from: sensor).map { [$0] }
        var seen: Set<UInt32> = [sensor.id]
        while !open.isEmpty {
            let path = open.removeFirst()
            guard let end = path.last?.target else { continue }
            if end.function == UInt32(MEDIA_ENT_F_IO_V4L) {
                if end.node != nil { found.append(path) }
                continue
            }
            guard seen.insert(end.id).inserted else { continue }
            open += steps(from: end).map { path + [$0] }
        }
        return found
    }

    func isEnabled(_ step: Step) -> Bool {
        links.contains { $0.source == step.source.id && $0.sink == step.sink.id && $0.isEnabled }
    }

    func steps(from entity: Entity) -> [Step] {
        pads.filter { $0.entity == entity.id }.sorted { $0.index < $1.index }.flatMap { steps(from: $0) }
    }

    func steps(from pad: Pad) -> [Step] {
        links.filter { $0.source == pad.id }.compactMap { link in
            guard let sink = pads.first(where: { $0.id == link.sink }),
                let target = entities.first(where: { $0.id == sink.entity })
            else { return nil }
            return Step(source: pad, sink: sink, target: target, flags: link.flags)
        }
    }
}

/// An open media device, such as `/dev/media0`.
struct MediaDevice: ~Copyable {
    /// The most parts of one kind to read: the largest known graphs have some hundreds.
    private static let maxCount = 4096

    let path: String
    let driver: String
    /// The place of the device: `platform:unicam`.
    let bus: String
    private let descriptor: FileDescriptor

    /// Opens a media device.
    /// - Throws: `V4L2Error.denied` or `.confined` if this user or this program may not open it, `.system` if it fails
    ///   otherwise.
    init(opening path: String) throws(V4L2Error) {
        let descriptor = try Self.open(path)
        var info = media_device_info()
        let errno = unsafe cmedia_device_info(descriptor.rawValue, &info)
        guard errno == 0 else { throw .system(call: "MEDIA_IOC_DEVICE_INFO", errno: errno, path: path) }
        self.path = path
        driver = string(of: info.driver)
        bus = string(of: info.bus_info)
        self.descriptor = descriptor
    }

    /// Opens a file of a media graph.
    static func open(_ path: String) throws(V4L2Error) -> FileDescriptor {
        do throws(POSIXError) {
            return try FileDescriptor(opening: path, flags: O_RDWR)
        } catch {
            throw V4L2Error(opening: path, error)
        }
    }

    /// Returns the graph.
    /// - Throws: `V4L2Error.system`, or `.malformedReply` if it has too many parts.
    func graph() throws(V4L2Error) -> MediaGraph {
        var topology = media_v2_topology()
        try requestTopology(&topology)
        let counts = [
            topology.num_entities, topology.num_interfaces, topology.num_pads, topology.num_links,
        ].map { Int($0) }
        guard counts.allSatisfy({ $0 <= Self.maxCount }) else {
            throw .malformedReply(path: path, problem: "its media graph has more than \(Self.maxCount) parts of a kind")
        }
        var entities = [media_v2_entity](repeating: .init(), count: counts[0])
        var interfaces = [media_v2_interface](repeating: .init(), count: counts[1])
        var pads = [media_v2_pad](repeating: .init(), count: counts[2])
        var links = [media_v2_link](repeating: .init(), count: counts[3])
        try unsafe entities.withUnsafeMutableBufferPointer { entities throws(V4L2Error) in
            try unsafe interfaces.withUnsafeMutableBufferPointer { interfaces throws(V4L2Error) in
                try unsafe pads.withUnsafeMutableBufferPointer { pads throws(V4L2Error) in
                    try unsafe links.withUnsafeMutableBufferPointer { links throws(V4L2Error) in
                        topology.ptr_entities = UInt64(UInt(bitPattern: entities.baseAddress))
                        topology.ptr_interfaces = UInt64(UInt(bitPattern: interfaces.baseAddress))
                        topology.ptr_pads = UInt64(UInt(bitPattern: pads.baseAddress))
                        topology.ptr_links = UInt64(UInt(bitPattern: links.baseAddress))
                        try requestTopology(&topology)
                    }
                }
            }
        }
        // Besides links of data and of device nodes, a lens or a flash has one to its sensor.
        let hasType = { (link: media_v2_link, type: Int32) in
            link.flags & UInt32(bitPattern: MEDIA_LNK_FL_LINK_TYPE) == UInt32(bitPattern: type)
        }
        var nodes: [UInt32: String] = [:]
        for link in links where hasType(link, Int32(MEDIA_LNK_FL_INTERFACE_LINK)) {
            let interface = interfaces.first { $0.id == link.source_id }
            if let interface {
                nodes[link.sink_id] = Self.node(interface.devnode.major, interface.devnode.minor)
            }
        }
        return MediaGraph(
            entities: entities.map {
                .init(id: $0.id, name: string(of: $0.name), function: $0.function, node: nodes[$0.id])
            },
            pads: pads.map { .init(id: $0.id, entity: $0.entity_id, index: $0.index) },
            links: links.filter { hasType($0, Int32(MEDIA_LNK_FL_DATA_LINK)) }.map {
                .init(source: $0.source_id, sink: $0.sink_id, flags: $0.flags)
            })
    }

    private func requestTopology(_ topology: inout media_v2_topology) throws(V4L2Error) {
        let errno = unsafe cmedia_g_topology(descriptor.rawValue, &topology)
        guard errno == 0 else { throw .system(call: "MEDIA_IOC_G_TOPOLOGY", errno: errno, path: path) }
    }

    /// Enables or disables the link of a step.
    /// - Throws: `V4L2Error.system`.
    func enable(_ step: MediaGraph.Step, _ isEnabled: Bool = true) throws(V4L2Error) {
        var link = media_link_desc()
        (link.source.entity, link.source.index) = (step.source.entity, UInt16(truncatingIfNeeded: step.source.index))
        (link.sink.entity, link.sink.index) = (step.sink.entity, UInt16(truncatingIfNeeded: step.sink.index))
        // All other flags must be those that the link has (__media_entity_setup_link in the kernel).
        let others = step.flags & ~UInt32(MEDIA_LNK_FL_ENABLED)
        link.flags = isEnabled ? others | UInt32(MEDIA_LNK_FL_ENABLED) : others
        let errno = unsafe cmedia_setup_link(descriptor.rawValue, &link)
        guard errno == 0 else { throw .system(call: "MEDIA_IOC_SETUP_LINK", errno: errno, path: path) }
    }

    /// Returns the path of a device node by its numbers.
    private static func node(_ major: UInt32, _ minor: UInt32) -> String? {
        let link = "/sys/dev/char/\(major):\(minor)"
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        return target?.split(separator: "/").last.map { "/dev/\($0)" }
    }
}
