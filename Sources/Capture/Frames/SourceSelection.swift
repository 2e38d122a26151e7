import FoundationEssentials
import Readings
import Untrusted
import V4L2

/// The source that a name refers to, among the connected cameras.
enum SourceSelection: Equatable {
    /// The cameras to try in this order until one can be used; never empty.
    case cameras([DeviceNode])
    case testPattern
    case noMatch(Mismatch)

    /// The reason why a name refers to no camera.
    enum Mismatch: Equatable {
        /// No connected camera has this path, id or name.
        case unknown(device: String, present: [DeviceNode])
        case ambiguous(device: String, matches: [DeviceNode])
    }

    /// - Parameters:
    ///   - device: `auto`, which leaves out what is not a camera by itself; `test-pattern`, a device node, a stable id,
    ///     or part of a name.
    ///   - remembered: The id of the camera that was last chosen, which `auto` prefers.
    ///   - nodes: The connected cameras.
    init(device: String, remembered: String? = nil, among nodes: [DeviceNode]) {
        switch device {
        case "test-pattern":
            self = .testPattern
        case "auto":
            let first = remembered.map { id in nodes.filter { $0.id == id } } ?? []
            let simple = nodes.filter { $0.role == .camera }
            let order =
                first + (simple.filter(\.isReadable) + simple.filter { !$0.isReadable }).filter { !first.contains($0) }
            self = order.isEmpty ? .testPattern : .cameras(order)
        default:
            self = Self.named(device, among: nodes)
        }
    }

    private static func named(_ device: String, among nodes: [DeviceNode]) -> SourceSelection {
        guard !device.isEmpty else { return .noMatch(.unknown(device: device, present: nodes)) }
        let isPath = device.hasPrefix("/")
        // A path such as /dev/v4l/by-id/... is a link to the node.
        let path = isPath ? URL(filePath: device).resolvingSymlinksInPath().path : device
        let atPath = nodes.first { $0.path == path } ?? nodes.first { isPath && $0.aliases.contains(path) }
        if let node = atPath ?? nodes.first(where: { $0.id == device }) {
            return .cameras([node])
        }
        // The node is not in the list of cameras. Opening it shows why.
        if isPath, DeviceNode.isVideo4Linux(at: path) { return .cameras([DeviceNode(unprobed: path)]) }
        let aliased = nodes.filter { $0.aliases.contains(device) }
        let matches =
            aliased.isEmpty ? nodes.filter { $0.name.lowercased().contains(device.lowercased()) } : aliased
        if matches.count == 1 { return .cameras(matches) }
        return .noMatch(
            matches.isEmpty
                ? .unknown(device: device, present: nodes) : .ambiguous(device: device, matches: matches))
    }
}

extension SourceSelection.Mismatch {
    /// The sentence for the author of `camera.device` or `--device`.
    var sentenceForConfiguration: String {
        switch self {
        case .unknown(let device, let present):
            let sanitized = device.sanitized()
            let what =
                device.hasPrefix("/") ? "There is no camera at \(sanitized)" : "No camera is called '\(sanitized)'"
            let advice = "Plug it in, or correct camera.device; 'swatchcam cameras' lists the cameras."
            let others = present.isEmpty ? "No other camera is connected" : "Connected cameras: \(present.enumeration)"
            return "\(what). \(advice) \(others)."
        case .ambiguous(let device, let matches):
            return
                "More than one camera is called '\(device.sanitized())': \(matches.enumeration). Give camera.device the id of one."
        }
    }

    /// The sentence for a client of the API.
    ///
    /// Clients must not learn whether a file exists or what it is. The sentence is therefore the same for every unknown
    /// path and name, and repeats neither.
    var sentenceForClient: String {
        switch self {
        case .unknown: "There is no such camera. /api/cameras lists the cameras."
        case .ambiguous(_, let matches):
            "More than one camera has this name: \(matches.enumeration). Give the id of one."
        }
    }
}

extension DeviceNode {
    /// Whether it may be opened and offers a format that Swatchcam reads.
    fileprivate var isReadable: Bool {
        problem == nil && formats.contains { FormatSelection.codes.contains($0.description) }
    }

    /// The camera in the API and in readings.
    var camera: Reading.Camera { Reading.Camera(id: id, name: name, device: path) }

    /// Finds the same camera, perhaps under another number, among the connected cameras.
    ///
    /// A second camera with the same serial number changes the id of the first, whose id then depends on its USB port.
    func found(among nodes: [DeviceNode]) -> DeviceNode? {
        if let same = nodes.first(where: { $0.id == id }) { return same }
        if let same = nodes.first(where: { aliases.contains($0.id) }) { return same }
        let aliased = nodes.filter { $0.aliases.contains(id) }
        return aliased.count == 1 ? aliased[0] : nil
    }
}

extension [DeviceNode] {
    /// The cameras as a list within a sentence, short enough to be read.
    var enumeration: String {
        let names = prefix(6).map { "\($0.name) (\($0.path), id \($0.id))" }.joined(separator: "; ")
        return count > 6 ? "\(names); and \(count - 6) more" : names
    }
}
