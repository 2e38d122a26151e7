import FoundationEssentials

/// A capture device that is there, as far as one can see without holding it open.
public struct DeviceNode: Equatable, Sendable {
    /// `/dev/video0`.
    public var path: String
    /// Survives reboots and renumbering: the name in `/dev/v4l/by-id`, else in `/dev/v4l/by-path`, else driver and bus.
    public var id: String
    /// The device's name.
    public var name: String
    /// The driver's name; empty if the node could not be opened.
    public var driver: String
    /// Where it is plugged in; empty if the node could not be opened.
    public var bus: String
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
        let byID = links(in: folder + "/v4l/by-id")
        let byPath = links(in: folder + "/v4l/by-path")
        return numbers.compactMap { number in
            let path = "\(folder)/video\(number)"
            return DeviceNode(probing: path, stableName: byID[path] ?? byPath[path])
        }
    }

    /// A node that a person names and nobody has looked at.
    public init(unprobed path: String) {
        self.path = path
        name = path.split(separator: "/").last.map(String.init) ?? path
        id = path
        driver = ""
        bus = ""
    }

    /// A node as it is described; for tests.
    public init(path: String, id: String, name: String, driver: String, bus: String, problem: V4L2Error? = nil) {
        self.path = path
        self.id = id
        self.name = name
        self.driver = driver
        self.bus = bus
        self.problem = problem
    }

    private init?(probing path: String, stableName: String?) {
        self.path = path
        do throws(V4L2Error) {
            let device = try Device(opening: path)
            name = device.capability.card
            driver = device.capability.driver
            bus = device.capability.bus
            id = stableName ?? "\(driver)-\(bus)"
        } catch .notACaptureDevice {
            return nil
        } catch {
            let node = path.split(separator: "/").last.map(String.init) ?? path
            let file = "/sys/class/video4linux/\(node)/name"
            let text = try? String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            name = text?.trimmingWhitespace() ?? node
            driver = ""
            bus = ""
            id = stableName ?? node
            problem = error
        }
    }

    /// Stable names by the node that they point to. Two names for one node: the first in alphabetical order.
    private static func links(in folder: String) -> [String: String] {
        var found: [String: String] = [:]
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() {
            let link = URL(filePath: folder).appending(path: name)
            let node = link.resolvingSymlinksInPath().path
            if found[node] == nil { found[node] = name }
        }
        return found
    }
}

extension String {
    fileprivate func trimmingWhitespace() -> String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
