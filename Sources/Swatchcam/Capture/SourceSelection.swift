import Foundation
import Pixels
import V4L2

/// Which source is meant, among the cameras that are there.
enum SourceSelection: Equatable {
    /// To be tried in this order until one can be used; never empty.
    case cameras([DeviceNode])
    case testPattern
    /// There is none, or more than one: the sentence says what was looked for and what there is.
    case none(String)

    /// - Parameters:
    ///   - device: `auto`, `test-pattern`, a node, a stable id, or part of a name.
    ///   - remembered: For `auto`, the id of the camera that was chosen last.
    ///   - nodes: What is there.
    init(device: String, remembered: String? = nil, among nodes: [DeviceNode]) {
        switch device {
        case "test-pattern":
            self = .testPattern
        case "auto":
            let first = remembered.map { id in nodes.filter { $0.id == id } } ?? []
            let usable = nodes.filter(\.isReadable)
            let order = first + (usable + nodes.filter { !$0.isReadable }).filter { !first.contains($0) }
            self = order.isEmpty ? .testPattern : .cameras(order)
        default:
            self = Self.named(device, among: nodes)
        }
    }

    private static func named(_ device: String, among nodes: [DeviceNode]) -> SourceSelection {
        let isPath = device.hasPrefix("/")
        // A name such as /dev/v4l/by-id/... is a link to the node.
        let path = isPath ? URL(filePath: device).resolvingSymlinksInPath().path : device
        if let node = nodes.first(where: { $0.path == path }) ?? nodes.first(where: { $0.id == device }) {
            return .cameras([node])
        }
        // What is no camera is opened all the same: the error says what it is.
        if isPath, FileManager.default.fileExists(atPath: path) { return .cameras([DeviceNode(unprobed: device)]) }
        let aliased = nodes.filter { $0.aliases.contains(device) }
        let matches =
            aliased.isEmpty ? nodes.filter { $0.name.lowercased().contains(device.lowercased()) } : aliased
        if matches.count == 1 { return .cameras(matches) }
        if matches.isEmpty {
            let what = isPath ? "There is no \(device)." : "No camera is called '\(device)'."
            let present = nodes.isEmpty ? "There is no camera at all." : "There are: \(nodes.enumeration)."
            return .none("\(what) \(present) Plug it in, or correct camera.device.")
        }
        return .none(
            "More than one camera is called '\(device)': \(matches.enumeration). Give camera.device the id of one.")
    }
}

extension DeviceNode {
    /// Whether it may be opened and offers a format that is read here.
    fileprivate var isReadable: Bool {
        problem == nil && formats.contains { FormatSelection.codes.contains($0.description) }
    }

    /// For the API and for readings.
    var camera: Reading.Camera { Reading.Camera(id: id, name: name, device: path) }

    /// The same camera, perhaps under another number, among those that are there now.
    ///
    /// A second camera with the same serial number changes the id of the first: then it goes by its place.
    func found(among nodes: [DeviceNode]) -> DeviceNode? {
        if let same = nodes.first(where: { $0.id == id }) { return same }
        if let same = nodes.first(where: { aliases.contains($0.id) }) { return same }
        let aliased = nodes.filter { $0.aliases.contains(id) }
        return aliased.count == 1 ? aliased[0] : nil
    }
}

extension [DeviceNode] {
    /// For a sentence; not more than a person reads.
    var enumeration: String {
        let names = prefix(6).map { "\($0.name) (\($0.path), id \($0.id))" }.joined(separator: "; ")
        return count > 6 ? "\(names); and \(count - 6) more" : names
    }
}
