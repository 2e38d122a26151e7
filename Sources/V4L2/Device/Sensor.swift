import CV4L2
import Files
import FoundationEssentials
import Glibc

/// A camera module's sensor, and the route of its pictures through the media graph to the node that captures them.
struct Sensor: Sendable {
    /// The sensor's name: `imx219 10-0010`.
    let name: String
    /// The path of its device node.
    let path: String
    /// The path of the node that captures its pictures.
    let captureNode: String
    /// The driver and the bus of its media device.
    let driver: String
    let bus: String
    let mediaPath: String
    let steps: [MediaGraph.Step]

    /// The code values of black of known sensors on the scale of 16 bits: `rpi.black_level` in Raspberry Pi's tuning
    /// files for libcamera.
    private static let blackLevels = ["imx219": 4096.0, "imx477": 4096, "imx708": 4096, "ov5647": 1024]

    /// The code value of black as a share of the number of code values; 0 if it is not known.
    var black: Double { (Self.blackLevels.first { name.hasPrefix($0.key) }?.value ?? 0) / 65536 }

    /// Returns the sensors of this machine, ordered by their device nodes.
    ///
    /// Those whose pictures no node captures are left out.
    /// - Throws: The error of a media device that cannot be read, unless another one has sensors.
    static func all(in folder: String = "/dev") throws(V4L2Error) -> [Sensor] {
        var sensors: [Sensor] = []
        var problem: V4L2Error?
        for path in DeviceNode.paths("media", in: folder) {
            do throws(V4L2Error) {
                sensors += try all(of: path)
            } catch {
                problem = problem ?? error
            }
        }
        if let problem, sensors.isEmpty { throw problem }
        return sensors
    }

    private static func all(of mediaPath: String) throws(V4L2Error) -> [Sensor] {
        let media = try MediaDevice(opening: mediaPath)
        let graph = try media.graph()
        return graph.sensors.compactMap { entity in
            guard let path = entity.node else { return nil }
            // A node that captures something else, such as a sensor's registers, is not a camera.
            let route = graph.paths(from: entity).first { steps in
                steps.last?.target.node.map { (try? Device(opening: $0)) != nil } ?? false
            }
            guard let steps = route, let captureNode = steps.last?.target.node else { return nil }
            return Sensor(
                name: entity.name, path: path, captureNode: captureNode, driver: media.driver, bus: media.bus,
                mediaPath: mediaPath, steps: steps)
        }
    }

    /// Returns whether a name is that of a device on an I²C bus, as a sensor or its lens is: `imx219 10-0010`
    /// (`v4l2_i2c_subdev_set_name` in the kernel).
    static func isOnBus(_ name: String) -> Bool { name.wholeMatch(of: /\S+ [0-9]+-[0-9a-f]{4}/) != nil }

    /// A pixel format in which the receiver stores what the sensor sends.
    struct Format {
        var bus: MediaBusFormat
        var fourCC: FourCC
        var sizes: OfferedFormat.Sizes
        /// Whether a format before it stores the same samples in less memory.
        var isAlternative: Bool
    }

    /// Returns the formats that the sensor sends and its receiver can store, the most accurate first, with their sizes.
    /// - Parameters:
    ///   - descriptor: The sensor's open device.
    ///   - capture: The node that captures its pictures.
    func formats(_ descriptor: Int32, storedBy capture: borrowing Device) -> [Format] {
        var codes: [UInt32] = []
        for index in 0..<UInt32(256) {
            var query = v4l2_subdev_mbus_code_enum()
            (query.pad, query.index, query.which) = (steps[0].source.index, index, Self.active)
            guard unsafe cv4l2_subdev_enum_mbus_code(descriptor, &query) == 0 else { break }
            codes.append(query.code)
        }
        var formats: [Format] = []
        for bus in MediaBusFormat.all.filter({ codes.contains($0.code) }).sorted(by: { $0.bits > $1.bits }) {
            let stored = capture.formats(of: bus.code)
            let sizes = sizes(of: bus.code, descriptor)
            for (index, fourCC) in bus.fourCCs.filter({ stored.contains($0) }).enumerated()
            // Samples of several depths may be stored in the same format.
            where !formats.contains(where: { $0.fourCC == fourCC }) {
                formats.append(Format(bus: bus, fourCC: fourCC, sizes: sizes, isAlternative: index > 0))
            }
        }
        return formats
    }

    private func sizes(of code: UInt32, _ descriptor: Int32) -> OfferedFormat.Sizes {
        var sizes: [OfferedFormat.Size] = []
        for index in 0..<UInt32(256) {
            var query = v4l2_subdev_frame_size_enum()
            (query.pad, query.index, query.code, query.which) = (steps[0].source.index, index, code, Self.active)
            guard unsafe cv4l2_subdev_enum_frame_size(descriptor, &query) == 0 else { break }
            let (width, height) = (Int(query.min_width), Int(query.min_height))
            if query.max_width > query.min_width || query.max_height > query.min_height {
                return .stepwise(
                    width: width...max(width, Int(query.max_width)), widthStep: 1,
                    height: height...max(height, Int(query.max_height)), heightStep: 1)
            }
            sizes.append(.init(width: width, height: height, rates: []))
        }
        return .discrete(sizes)
    }

    /// Sets up the graph, from the sensor to the node, where it is not set up already.
    ///
    /// The kernel compares the formats at both ends of every enabled link that the pictures reach, including links
    /// off the route. There, the format is set as well; a link further on that does not fit is disabled.
    /// - Parameters:
    ///   - wanted: The format to ask the sensor for. It may grant another.
    ///   - links: Receives the links that are disabled, even if setting up fails later.
    /// - Returns: The format of the pictures that reach the node.
    /// - Throws: `V4L2Error.system` (`EBUSY` if another program is streaming).
    func setUp(
        _ descriptor: Int32, _ wanted: BusFormat, disabling links: inout DisabledLinks
    ) throws(V4L2Error) -> BusFormat {
        let media = try MediaDevice(opening: mediaPath)
        let graph = try media.graph()
        for step in steps where !graph.isEnabled(step) { try media.enable(step) }
        var format = try wanted.set(steps[0].source.index, of: descriptor, path)
        for (index, step) in steps.enumerated() {
            for branch in graph.steps(from: step.source) where branch.isEnabled && branch.target.id != step.target.id {
                try setUp(branch: branch, format, graph, media, disabling: &links)
            }
            guard index + 1 < steps.count, let part = try step.target.open() else { continue }
            format = try format.set(step.sink.index, of: part.rawValue, step.target.path)
            format = try format.set(steps[index + 1].source.index, of: part.rawValue, step.target.path)
        }
        return format
    }

    /// Makes a link that leads away from the route fit, and disables the links behind it that do not.
    private func setUp(
        branch: MediaGraph.Step, _ format: BusFormat, _ graph: MediaGraph, _ media: borrowing MediaDevice,
        disabling links: inout DisabledLinks
    ) throws(V4L2Error) {
        guard let part = try branch.target.open() else { return }
        _ = try format.set(branch.sink.index, of: part.rawValue, branch.target.path)
        for link in graph.steps(from: branch.target) where link.isEnabled && !link.isImmutable {
            let sent = BusFormat(of: part.rawValue, pad: link.source.index)
            guard try sent != link.target.format(atPad: link.sink.index) else { continue }
            try media.enable(link, false)
            links.steps.append(link)
        }
    }

    /// Returns what keeps the pictures from reaching the node, as far as the graph shows, in words that end a sentence.
    /// - Parameter stored: The format that the node stores.
    func misfit(with stored: FrameFormat) -> String {
        do throws(V4L2Error) {
            let graph = try MediaDevice(opening: mediaPath).graph()
            var (sender, node) = (name, path)
            for step in steps {
                guard graph.isEnabled(step) else { return "the link from \(sender) to \(step.target.name) is off" }
                let part = try MediaDevice.open(node)
                let sent = BusFormat(of: part.rawValue, pad: step.source.index)
                let isLast = step.sink.id == steps.last?.sink.id
                let taken = isLast ? nil : try step.target.format(atPad: step.sink.index)
                if let sent, let taken, sent != taken {
                    return "\(sender) sends \(sent), but \(step.target.name) takes \(taken)"
                }
                if isLast, let sent, !sent.fits(stored) {
                    return "\(sender) sends \(sent), but \(step.target.name) stores "
                        + "\(stored.fourCC) \(stored.width)x\(stored.height)"
                }
                guard let next = step.target.node else { break }
                (sender, node) = (step.target.name, next)
            }
            return "its driver does not say why, because all links are on and all formats fit"
        } catch {
            return "its media graph cannot be read (\(error))"
        }
    }

    private static let active = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
}

/// Links that were disabled for a while. They are enabled again when the value is destroyed.
struct DisabledLinks: ~Copyable {
    let mediaPath: String
    var steps: [MediaGraph.Step] = []

    deinit {
        // A failure can be ignored: another program may have taken the device over.
        guard !steps.isEmpty, let media = try? MediaDevice(opening: mediaPath) else { return }
        for step in steps { try? media.enable(step) }
    }
}

/// The format of the pictures at a pad.
struct BusFormat: Equatable {
    var code: UInt32
    var width: UInt32
    var height: UInt32
}

extension BusFormat {
    /// Reads the format at a pad; nil if it has none.
    init?(of descriptor: Int32, pad: UInt32) {
        var format = v4l2_subdev_format()
        (format.which, format.pad) = (V4L2_SUBDEV_FORMAT_ACTIVE.rawValue, pad)
        guard unsafe cv4l2_subdev_g_fmt(descriptor, &format) == 0 else { return nil }
        self.init(format.format)
    }

    private init(_ format: v4l2_mbus_framefmt) {
        self.init(code: format.code, width: format.width, height: format.height)
    }

    /// Returns whether pictures of this format may be stored in another.
    func fits(_ stored: FrameFormat) -> Bool {
        let known = MediaBusFormat.all.first { $0.code == code }
        return Int(width) == stored.width && Int(height) == stored.height
            && known?.fourCCs.contains(stored.fourCC) != false
    }

    /// Sets the format at a pad, unless it has it already.
    /// - Returns: The format that was granted: drivers adjust a request instead of refusing it.
    func set(_ pad: UInt32, of descriptor: Int32, _ path: String) throws(V4L2Error) -> BusFormat {
        guard BusFormat(of: descriptor, pad: pad) != self else { return self }
        var format = v4l2_subdev_format()
        (format.which, format.pad) = (V4L2_SUBDEV_FORMAT_ACTIVE.rawValue, pad)
        (format.format.code, format.format.width, format.format.height) = (code, width, height)
        format.format.field = V4L2_FIELD_NONE.rawValue
        let errno = unsafe cv4l2_subdev_s_fmt(descriptor, &format)
        guard errno == 0 else { throw .system(call: "VIDIOC_SUBDEV_S_FMT", errno: errno, path: path) }
        return BusFormat(format.format)
    }
}

extension BusFormat: CustomStringConvertible {
    /// The size and the code as the kernel's `media-bus-format.h` has it: `640x480 in bus format 0x300f`.
    var description: String { "\(width)x\(height) in bus format 0x\(String(code, radix: 16))" }
}

extension MediaGraph.Entity {
    fileprivate var path: String { node ?? name }

    /// Returns the format at a pad; nil if it has none.
    func format(atPad pad: UInt32) throws(V4L2Error) -> BusFormat? {
        guard let part = try open() else { return nil }
        return BusFormat(of: part.rawValue, pad: pad)
    }

    /// Opens its device; nil if it has none.
    fileprivate func open() throws(V4L2Error) -> FileDescriptor? {
        guard let node, function != UInt32(MEDIA_ENT_F_IO_V4L) else { return nil }
        return try MediaDevice.open(node)
    }
}

/// A device whose pictures come straight from a sensor.
extension Device {
    /// Returns the formats of the sensor with their sizes; nil if this is not a sensor.
    var sensorFormats: [Sensor.Format]? {
        guard let sensor else { return nil }
        return sensor.formats(controlDescriptor, storedBy: self)
    }

    /// Sets up the graph for a format, in the smallest of the sensor's sizes that is large enough, or else the largest.
    /// - Returns: The size of the pictures, which the sensor may have adjusted.
    /// - Throws: `V4L2Error.busy` if another program is streaming, `.system`.
    mutating func setUpGraph(
        _ fourCC: FourCC, width: Int, height: Int
    ) throws(V4L2Error) -> (width: Int, height: Int) {
        guard let sensor, let offered = sensorFormats?.first(where: { $0.fourCC == fourCC }) else {
            return (width, height)
        }
        // A sensor's driver may take another format while it streams (imx219_set_pad_format in the kernel).
        try ensureFree()
        let size = offered.sizes.best(width: width, height: height)
        var links = DisabledLinks(mediaPath: sensor.mediaPath)
        let wanted = BusFormat(
            code: offered.bus.code, width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
        let granted = try sensor.setUp(controlDescriptor, wanted, disabling: &links)
        disabledLinks = consume links
        return (Int(granted.width), Int(granted.height))
    }
}

extension OfferedFormat.Sizes {
    /// Returns the smallest size that holds the wanted one, or else the largest.
    func best(width: Int, height: Int) -> (width: Int, height: Int) {
        switch self {
        case .stepwise(let widths, _, let heights, _):
            return (
                min(max(width, widths.lowerBound), widths.upperBound),
                min(max(height, heights.lowerBound), heights.upperBound)
            )
        case .discrete(let sizes):
            let sorted = sizes.sorted { $0.width * $0.height < $1.width * $1.height }
            let best = sorted.first { $0.width >= width && $0.height >= height } ?? sorted.last
            return best.map { ($0.width, $0.height) } ?? (width, height)
        }
    }
}
