import CV4L2
import FakeDriver
import Foundation
import Glibc
import ModelCamera
import Testing

@testable import V4L2

/// The numbers of the nodes are so high that no real device has them.
@Suite("The list of devices")
struct DeviceNodeTests {
    /// Lists the devices of a folder with these files.
    /// - Parameters:
    ///   - links: The names of links in the folder `by-id`, by their targets.
    ///   - problems: The errors of nodes that cannot be opened, by name.
    private func nodes(
        _ names: [String], driver name: String = "uvcvideo", links: [String: String] = [:],
        problems: [String: V4L2Error] = [:]
    ) throws -> (nodes: [DeviceNode], folder: String) {
        let files = FileManager.default
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").resolvingSymlinksInPath().path
        defer { try? files.removeItem(atPath: folder) }
        try files.createDirectory(atPath: folder + "/v4l/by-id", withIntermediateDirectories: true)
        for name in names { try Data().write(to: URL(filePath: folder + "/" + name)) }
        for (target, link) in links {
            try files.createSymbolicLink(
                atPath: folder + "/v4l/by-id/" + link, withDestinationPath: "../../" + target)
        }
        let driver = ModelDriver()
        driver.on(FAKE_QUERYCAP, v4l2_capability.self) { reply in
            reply.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
            unsafe withUnsafeMutableBytes(of: &reply.driver) { unsafe $0.copyBytes(from: Array(name.utf8)) }
            unsafe withUnsafeMutableBytes(of: &reply.card) { unsafe $0.copyBytes(from: Array("C920".utf8)) }
            unsafe withUnsafeMutableBytes(of: &reply.bus_info) { unsafe $0.copyBytes(from: Array("usb-1".utf8)) }
            return 0
        }
        var format = v4l2_fmtdesc()
        format.pixelformat = FourCC("YUYV").rawValue
        driver.list(FAKE_ENUM_FMT, [format], at: \.index)
        defer { fake_driver_end() }
        let nodes = DeviceNode.all(in: folder) { path throws(V4L2Error) in
            if let problem = problems[String(path.dropFirst(folder.count + 1))] { throw problem }
            return try driver.open(path, unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC))
        }
        return (nodes, folder)
    }

    @Test("devices are listed in the order of their numbers, and no other files are")
    func order() throws {
        let (nodes, folder) = try nodes(["video9100", "video9020", "video910", "videocard", "video", "media9001"])
        #expect(nodes.map(\.path) == [910, 9020, 9100].map { "\(folder)/video\($0)" })
        #expect(
            nodes.first
                == DeviceNode(
                    path: folder + "/video910", id: "uvcvideo-usb-1", name: "C920", driver: "uvcvideo", bus: "usb-1",
                    formats: ["YUYV"]))
    }

    @Test("the nodes of one camera of libcamera's layer are one camera, which is found by each of their paths")
    func layer() throws {
        let (nodes, folder) = try nodes(["video9001", "video9002", "video9003"], driver: "libcamera")
        #expect(nodes.map(\.path) == [folder + "/video9001"])
        #expect(nodes.first?.aliases == ["\(folder)/video9002", "\(folder)/video9003"])
        #expect(nodes.first?.role == .camera)
    }

    @Test("sensors behind a media graph that may not be read are listed by name, with the reason")
    func unreachableSensors() throws {
        let files = FileManager.default
        let devices = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").path
        defer { try? files.removeItem(atPath: devices) }
        for (node, name) in [
            ("v4l-subdev0", "csi2"), ("v4l-subdev1", "imx219 10-0010"), ("video0", "imx219 11-0010"),
        ] {
            try files.createDirectory(atPath: "\(devices)/\(node)", withIntermediateDirectories: true)
            try Data("\(name)\n".utf8).write(to: URL(filePath: "\(devices)/\(node)/name"))
        }
        let problem = V4L2Error.confined(path: "/dev/media0")
        let nodes = DeviceNode.unreachableSensors(in: "/dev", because: problem, devices: devices)
        #expect(nodes.map(\.path) == ["/dev/v4l-subdev1"])
        #expect(nodes.map(\.name) == ["imx219 10-0010"])
        #expect(nodes.first?.role == .sensor)
        #expect(nodes.first?.problem == problem)
    }

    @Test("a part of an image processor is listed with what it is")
    func processor() throws {
        let (nodes, folder) = try nodes(["video9001"], driver: "pispbe")
        #expect(nodes.first?.problem == .imageProcessor(path: folder + "/video9001", name: "C920"))
        #expect(nodes.first?.role == .imageProcessor)
    }

    @Test("a device that udev has named has that name as its id")
    func names() throws {
        let (nodes, _) = try nodes(
            ["video9001", "video9002"], links: ["video9001": "usb-first", "video9002": "usb-second"])
        #expect(nodes.map(\.id) == ["usb-first", "usb-second"])
        #expect(nodes.map(\.aliases) == [["uvcvideo-usb-1"], ["uvcvideo-usb-1"]])
    }

    @Test("a node that is not a camera or is gone is not listed")
    func omitted() throws {
        let (nodes, folder) = try nodes(
            ["video9001", "video9002", "video9003", "video9004", "video9005"],
            problems: [
                "video9001": .notACaptureDevice(path: "", name: ""), "video9002": .notACamera(path: ""),
                "video9003": .system(call: "open", errno: ENODEV, path: ""),
                "video9004": .system(call: "open", errno: ENXIO, path: ""),
            ])
        #expect(nodes.map(\.path) == [folder + "/video9005"])
    }

    @Test("a node that cannot be opened is listed with the reason and the name of its file")
    func problem() throws {
        let denied = V4L2Error.denied(path: "/dev/video9001", group: "video")
        let (nodes, folder) = try nodes(["video9001"], problems: ["video9001": denied])
        let path = folder + "/video9001"
        #expect(nodes == [DeviceNode(path: path, id: path, name: "video9001", driver: "", bus: "", problem: denied)])
    }

    @Test("a folder without nodes, or that is missing, has no devices")
    func none() throws {
        #expect(try nodes([]).nodes.isEmpty)
        #expect(DeviceNode.all(in: "/none").isEmpty)
    }

    @Test(
        "a node that was not examined is named after its file, in plain text",
        arguments: [
            ("/dev/v4l/by-id/camera", "/dev/v4l/by-id/camera", "camera"), ("video0", "video0", "video0"),
            ("/", "/", "/"), ("/dev/a\u{1B}b", "/dev/a\u{FFFD}b", "a\u{FFFD}b"),
        ])
    func unprobed(path: String, id: String, name: String) {
        #expect(
            DeviceNode(unprobed: path) == DeviceNode(path: path, id: id, name: name, driver: "", bus: ""))
    }
}

@Suite("The group that may use a device")
struct DeviceGroupTests {
    /// Returns the group that is named for a file with these permissions, and the name of the file's group.
    private func group(permissions: mode_t, group: gid_t? = nil) throws -> (named: String?, ofFile: String?) {
        let path = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").path
        try Data().write(to: URL(filePath: path))
        defer { _ = unsafe unlink(path) }
        if let group { try #require(unsafe chown(path, uid_t.max, group) == 0) }
        try #require(unsafe chmod(path, permissions) == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (DeviceGroup.name(of: path), attributes[.groupOwnerAccountName] as? String)
    }

    @Test(
        "the group of a device is named if its members may read and write it",
        arguments: [
            (0o660, true), (0o666, true), (0o060, true), (0o600, false), (0o640, false), (0o620, false), (0o606, false),
        ])
    func named(permissions: mode_t, isNamed: Bool) throws {
        let (named, ofFile) = try group(permissions: permissions)
        #expect(named == (isNamed ? ofFile : nil))
        #expect(DeviceGroup.name(of: "/none") == nil)
    }

    @Test(
        "a group that the system does not know, or that stands for all unknown groups, is not named",
        .enabled(if: getuid() == 0, "only root may give a file to another group"),
        arguments: [65534, 4_000_000_001] as [gid_t])
    func unknown(group: gid_t) throws {
        #expect(try self.group(permissions: 0o660, group: group).named == nil)
    }
}
