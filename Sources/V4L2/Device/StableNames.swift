import FoundationEssentials
import Untrusted

/// Device names that survive reboots and renumbering, as udev makes them.
struct StableNames {
    /// The possible names of one node.
    struct Candidates: Equatable {
        /// The names in `/dev/v4l/by-id`.
        var byID: [String] = []
        /// The names in `/dev/v4l/by-path`.
        var byPath: [String] = []
        /// The driver and the bus, which are known even without udev.
        var fallback: String
        /// An identity that is equal for two devices that `by-id` cannot distinguish.
        var usbIdentity: String?
    }

    private let candidates: [Candidates]

    init(_ candidates: [Candidates]) {
        self.candidates = candidates
    }

    /// Looks up the names of nodes.
    init(_ nodes: [DeviceNode], in folder: String) {
        let byID = Self.links(in: folder + "/v4l/by-id")
        let byPath = Self.links(in: folder + "/v4l/by-path")
        candidates = nodes.map { node in
            let sysfsNode = SysfsNode(named: String(node.path.dropFirst(folder.count + 1)))
            return Candidates(
                byID: byID[node.path] ?? [], byPath: byPath[node.path] ?? [],
                fallback: node.bus.isEmpty ? node.path : "\(node.driver)-\(node.bus)",
                usbIdentity: sysfsNode.usbIdentity)
        }
    }

    /// Sets the id of each node and adds to its aliases.
    func assign(to nodes: inout [DeviceNode]) {
        let names = names
        for (index, names) in zip(nodes.indices, names) {
            nodes[index].id = names.id
            nodes[index].aliases = names.aliases + nodes[index].aliases
        }
    }

    /// The id and the aliases of each node, in order.
    var names: [(id: String, aliases: [String])] {
        var taken: Set<String> = []
        return candidates.map { candidate in
            let twins = candidate.usbIdentity.map { identity in candidates.filter { $0.usbIdentity == identity } } ?? []
            // If two cameras have the same serial number, udev gives the name to either of them, so it identifies
            // neither.
            let unique = twins.count > 1 ? [] : candidate.byID
            var id = (unique + candidate.byPath).first ?? candidate.fallback
            // Two sensors of one camera have the same name without udev.
            var number = 1
            while taken.contains(id) {
                number += 1
                id = "\(candidate.fallback)-\(number)"
            }
            taken.insert(id)
            let shared = twins.flatMap(\.byID)
            let all = candidate.byID + shared + candidate.byPath + [candidate.fallback]
            var aliases: [String] = []
            for name in all where name != id && !aliases.contains(name) { aliases.append(name) }
            return (id, aliases)
        }
    }

    /// Returns the names in a folder by the node that they point to, in alphabetical order.
    ///
    /// udev puts the device's own serial number into them, with any Unicode letters it has.
    static func links(in folder: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() {
            let link = URL(filePath: folder).appending(path: name)
            found[link.resolvingSymlinksInPath().path, default: []].append(name.sanitized())
        }
        return found
    }
}

/// The kernel's files about a video device in `/sys/class/video4linux`.
struct SysfsNode {
    private let folder: String

    /// Creates access to the files of a node.
    /// - Parameter node: The node's name, such as `video0`.
    init(named node: String, in devices: String = "/sys/class/video4linux") {
        folder = devices + "/" + node
    }

    /// Returns the text of a file, sanitized and without trailing white space; nil if there is none.
    func text(_ name: String) -> String? {
        guard let bytes = try? Data(contentsOf: URL(filePath: folder + "/" + name)) else { return nil }
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? nil : String(text).sanitized()
    }

    /// Returns the last path component of a link's target; nil if there is none.
    func target(_ name: String) -> String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
        return path?.split(separator: "/").last.map { String($0).sanitized() }
    }

    /// The parts from which udev makes a `by-id` name: the USB device's vendor, product and serial number, and the
    /// index of the node. Nil if it is not a USB device.
    var usbIdentity: String? {
        // `device` is the USB interface; its parent is the USB device.
        guard let vendor = text("device/../idVendor"), let product = text("device/../idProduct") else { return nil }
        let serial = text("device/../serial") ?? ""
        return [vendor, product, serial, text("index") ?? ""].joined(separator: ":")
    }
}
