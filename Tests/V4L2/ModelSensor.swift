import CV4L2
import FakeDriver
import Files
import Glibc
import ModelCamera
import Testing

@testable import V4L2

/// A camera module: a sensor, its receiver, and the node that captures its pictures. The receiver also sends them to an
/// image processor.
///
///     sensor 0 -> 0 receiver 1 -> 0 capture
///                            1 -> 0 processor 1 -> 0 output
///
/// It follows the kernel's rules for links. Other device nodes stand for its own, because the nodes are found by the
/// numbers of devices.
final class ModelSensor {
    struct Part {
        var id: UInt32
        var name: String
        var function: Int32
        var minor: UInt32
        var path: String
        var pads: UInt32
    }

    static let sensor = Part(
        id: 1, name: "imx219 10-0010", function: Int32(MEDIA_ENT_F_CAM_SENSOR), minor: 7, path: "/dev/full", pads: 1)
    static let receiver = Part(
        id: 2, name: "csi2", function: Int32(MEDIA_ENT_F_VID_IF_BRIDGE), minor: 5, path: "/dev/zero", pads: 2)
    static let capture = Part(
        id: 3, name: "csi2_ch0", function: Int32(MEDIA_ENT_F_IO_V4L), minor: 3, path: "/dev/null", pads: 1)
    static let processor = Part(
        id: 4, name: "fe", function: Int32(MEDIA_ENT_F_PROC_VIDEO_SCALER), minor: 9, path: "/dev/urandom", pads: 2)
    static let output = Part(
        id: 5, name: "fe_image0", function: Int32(MEDIA_ENT_F_IO_V4L), minor: 4, path: "/dev/port", pads: 1)

    private static let parts = [sensor, receiver, capture, processor, output]
    private static let mediaPath = "/dev/random"
    private static let enabled = UInt32(MEDIA_LNK_FL_ENABLED)

    /// A link by the ids of its pads.
    struct Link: Hashable {
        var source: UInt32
        var sink: UInt32
    }

    static let toReceiver = Link(source: pad(sensor, 0), sink: pad(receiver, 0))
    static let toCapture = Link(source: pad(receiver, 1), sink: pad(capture, 0))
    static let toProcessor = Link(source: pad(receiver, 1), sink: pad(processor, 0))
    static let toOutput = Link(source: pad(processor, 1), sink: pad(output, 0))

    let stream = ModelStream()
    let controls: ModelControls
    var driver: ModelDriver { stream.driver }
    /// The flags of the links (`MEDIA_LNK_FL_*`).
    var links: [Link: UInt32] = [
        toReceiver: enabled | UInt32(MEDIA_LNK_FL_IMMUTABLE), toCapture: 0, toProcessor: enabled, toOutput: enabled,
    ]
    /// The formats at the pads, by their ids.
    var formats: [UInt32: BusFormat] = [
        pad(processor, 1): BusFormat(code: UInt32(MEDIA_BUS_FMT_RGB888_1X24), width: 320, height: 240)
    ]
    /// The formats that were set, in order.
    private(set) var set: [(pad: UInt32, format: BusFormat)] = []
    /// The format that a part grants in place of the wanted one.
    var grant: (_ pad: UInt32, BusFormat) -> BusFormat = { $1 }
    /// The errno with which setting a format fails, by the id of the pad.
    var refusals: [UInt32: Int32] = [:]
    /// The action when setting a format fails.
    var onRefusal: () -> Void = {}
    /// The media bus codes that the sensor sends, and the pixel formats in which they can be stored.
    var codes: [(code: Int32, stored: [FourCC])] = [(MEDIA_BUS_FMT_SRGGB10_1X10, ["pRAA"])]
    var sizes: [(width: UInt32, height: UInt32)] = [(64, 48), (640, 480)]

    init() {
        controls = ModelControls(of: stream.driver)
        driver.identify(driver: "rp1-cfe", flags: V4L2_CAP_IO_MC)
        driver.on(FAKE_MEDIA_DEVICE_INFO, media_device_info.self) { _ in 0 }
        driver.on(FAKE_MEDIA_G_TOPOLOGY, media_v2_topology.self) { [unowned self] in describe(&$0) }
        driver.on(FAKE_MEDIA_SETUP_LINK, media_link_desc.self) { [unowned self] in setUp($0) }
        driver.on(FAKE_SUBDEV_G_FMT, v4l2_subdev_format.self) { [unowned self] request in
            guard let format = formats[pad(request.pad)] else { return EINVAL }
            (request.format.code, request.format.width, request.format.height) = (
                format.code, format.width, format.height
            )
            return 0
        }
        driver.on(FAKE_SUBDEV_S_FMT, v4l2_subdev_format.self) { [unowned self] request in
            let (pad, format) = (pad(request.pad), request.format)
            if let refusal = refusals[pad] {
                onRefusal()
                return refusal
            }
            let granted = grant(pad, BusFormat(code: format.code, width: format.width, height: format.height))
            (request.format.code, request.format.width, request.format.height) = (
                granted.code, granted.width, granted.height
            )
            formats[pad] = granted
            set.append((pad, granted))
            return 0
        }
        driver.on(FAKE_SUBDEV_ENUM_MBUS_CODE, v4l2_subdev_mbus_code_enum.self) { [unowned self] query in
            guard let code = codes.dropFirst(Int(query.index)).first?.code else { return EINVAL }
            query.code = UInt32(bitPattern: code)
            return 0
        }
        driver.on(FAKE_SUBDEV_ENUM_FRAME_SIZE, v4l2_subdev_frame_size_enum.self) { [unowned self] query in
            guard let size = sizes.dropFirst(Int(query.index)).first else { return EINVAL }
            (query.min_width, query.max_width) = (size.width, size.width)
            (query.min_height, query.max_height) = (size.height, size.height)
            return 0
        }
        driver.on(FAKE_ENUM_FMT, v4l2_fmtdesc.self) { [unowned self] query in
            let code = query.mbus_code
            let stored = codes.filter { code == 0 || UInt32(bitPattern: $0.code) == code }.flatMap(\.stored)
            guard let fourCC = stored.dropFirst(Int(query.index)).first else { return EINVAL }
            query.pixelformat = fourCC.rawValue
            return 0
        }
    }

    /// Returns the id of a pad.
    static func pad(_ part: Part, _ index: UInt32) -> UInt32 { 100 * part.id + index }

    /// Runs `body` with the device of the sensor.
    func withDevice<Result>(_ body: (consuming Device) throws -> Result) throws -> Result {
        driver.begin()
        defer { fake_driver_end() }
        let graph = try MediaDevice(opening: Self.mediaPath).graph()
        let entity = try #require(graph.sensors.first)
        let steps = try #require(graph.paths(from: entity).first)
        let sensor = Sensor(
            name: entity.name, path: Self.sensor.path, captureNode: Self.capture.path, driver: "rp1-cfe",
            bus: "platform:1", mediaPath: Self.mediaPath, steps: steps)
        return try body(
            Device(
                sensor, owning: FileDescriptor(opening: sensor.path, flags: O_RDWR),
                capture: FileDescriptor(owning: stream.makeDescriptor())))
    }

    /// Returns the id of a pad of the part to whose file a request was made.
    private func pad(_ index: UInt32) -> UInt32 {
        var path = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink("/proc/self/fd/\(driver.descriptor)", &path, path.count)
        let name = String(decoding: path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Self.parts.first { $0.path == name }.map { Self.pad($0, index) } ?? 0
    }

    private func describe(_ topology: inout media_v2_topology) -> Int32 {
        let parts = Self.parts
        let entities = parts.map { part in
            var entity = media_v2_entity()
            (entity.id, entity.function) = (part.id, UInt32(bitPattern: part.function))
            unsafe withUnsafeMutableBytes(of: &entity.name) { unsafe $0.copyBytes(from: Array(part.name.utf8)) }
            return entity
        }
        let interfaces = parts.map { part in
            var interface = media_v2_interface()
            interface.id = 1000 + part.id
            interface.devnode = media_v2_intf_devnode(major: 1, minor: part.minor)
            return interface
        }
        let pads = parts.flatMap { part in
            (0..<part.pads).map { index in
                var pad = media_v2_pad()
                (pad.id, pad.entity_id, pad.index) = (Self.pad(part, index), part.id, index)
                return pad
            }
        }
        let nodes = parts.map { part in
            var link = media_v2_link()
            (link.source_id, link.sink_id) = (1000 + part.id, part.id)
            link.flags = UInt32(bitPattern: Int32(MEDIA_LNK_FL_INTERFACE_LINK))
            return link
        }
        let data = links.sorted { $0.key.sink < $1.key.sink }.map { key, flags in
            var link = media_v2_link()
            (link.source_id, link.sink_id, link.flags) = (key.source, key.sink, flags)
            return link
        }
        Self.write(entities, to: topology.ptr_entities)
        Self.write(interfaces, to: topology.ptr_interfaces)
        Self.write(pads, to: topology.ptr_pads)
        Self.write(nodes + data, to: topology.ptr_links)
        (topology.num_entities, topology.num_interfaces) = (UInt32(entities.count), UInt32(interfaces.count))
        (topology.num_pads, topology.num_links) = (UInt32(pads.count), UInt32(nodes.count + data.count))
        return 0
    }

    private static func write<Item>(_ items: [Item], to address: UInt64) {
        guard let start = unsafe UnsafeMutablePointer<Item>(bitPattern: UInt(address)) else { return }
        for (index, item) in items.enumerated() { unsafe start[index] = item }
    }

    private func setUp(_ wanted: media_link_desc) -> Int32 {
        let link = Link(
            source: 100 * wanted.source.entity + UInt32(wanted.source.index),
            sink: 100 * wanted.sink.entity + UInt32(wanted.sink.index))
        guard let flags = links[link], flags | Self.enabled == wanted.flags | Self.enabled else { return EINVAL }
        if flags & UInt32(MEDIA_LNK_FL_IMMUTABLE) != 0 { return flags == wanted.flags ? 0 : EINVAL }
        links[link] = wanted.flags
        return 0
    }
}
