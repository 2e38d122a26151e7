import V4L2

/// Which source the config's `camera.device` means, among the cameras that are there.
enum SourceSelection: Equatable {
    case camera(DeviceNode)
    case testPattern
    /// There is none, or more than one: the sentence says what was looked for and what there is.
    case none(String)

    /// - Parameters:
    ///   - device: `auto`, `test-pattern`, a node, a stable id, or part of a name.
    ///   - nodes: What is there.
    init(device: String, among nodes: [DeviceNode]) {
        switch device {
        case "test-pattern":
            self = .testPattern
        case "auto":
            // One that may be opened, if there is any.
            self = (nodes.first { $0.problem == nil } ?? nodes.first).map(Self.camera) ?? .testPattern
        default:
            self = Self.named(device, among: nodes)
        }
    }

    private static func named(_ device: String, among nodes: [DeviceNode]) -> SourceSelection {
        if let node = nodes.first(where: { $0.path == device }) ?? nodes.first(where: { $0.id == device }) {
            return .camera(node)
        }
        // A path is opened as it is: it may be a link, and if it is no camera the error says what it is.
        if device.hasPrefix("/") { return .camera(DeviceNode(unprobed: device)) }
        let matches = nodes.filter { $0.name.lowercased().contains(device.lowercased()) }
        if matches.count == 1 { return .camera(matches[0]) }
        let list = matches.isEmpty ? nodes : matches
        let names = list.map { "\($0.name) (\($0.path), id \($0.id))" }.joined(separator: "; ")
        if matches.isEmpty {
            let present = nodes.isEmpty ? "There is no camera at all." : "There are: \(names)."
            return .none("No camera is called '\(device)'. \(present) Plug it in, or correct camera.device.")
        }
        return .none("More than one camera is called '\(device)': \(names). Give camera.device the id of one.")
    }
}
