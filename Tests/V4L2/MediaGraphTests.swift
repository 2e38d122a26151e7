import CV4L2
import Testing

@testable import V4L2

@Suite("The route of a sensor's pictures")
struct MediaGraphTests {
    /// A graph from the names of its parts: `sensor`, `video` and `part` say what they are.
    private struct Builder {
        var graph = MediaGraph()

        mutating func add(_ name: String, _ function: Int32, node: String? = nil, pads: Int) {
            let id = UInt32(graph.entities.count + 1)
            graph.entities.append(.init(id: id, name: name, function: UInt32(bitPattern: function), node: node))
            for index in 0..<pads {
                graph.pads.append(.init(id: 100 * id + UInt32(index), entity: id, index: UInt32(index)))
            }
        }

        mutating func link(
            _ source: String, _ sourcePad: UInt32, _ sink: String, _ sinkPad: UInt32, enabled: Bool = true
        ) {
            let flags = enabled ? UInt32(MEDIA_LNK_FL_ENABLED) : 0
            graph.links.append(
                .init(source: pad(source, sourcePad), sink: pad(sink, sinkPad), flags: flags))
        }

        private func pad(_ name: String, _ index: UInt32) -> UInt32 {
            100 * (graph.entities.first { $0.name == name }?.id ?? 0) + index
        }
    }

    private static let sensor = Int32(MEDIA_ENT_F_CAM_SENSOR)
    private static let video = Int32(MEDIA_ENT_F_IO_V4L)
    private static let bridge = Int32(MEDIA_ENT_F_VID_IF_BRIDGE)
    private static let scaler = Int32(MEDIA_ENT_F_PROC_VIDEO_SCALER)

    /// A Raspberry Pi 4's: the sensor's second pad sends its registers.
    private static let pi4: MediaGraph = {
        var builder = Builder()
        builder.add("unicam-embedded", video, node: "/dev/video1", pads: 1)
        builder.add("unicam-image", video, node: "/dev/video0", pads: 1)
        builder.add("imx219 10-0010", sensor, node: "/dev/v4l-subdev0", pads: 2)
        builder.link("imx219 10-0010", 1, "unicam-embedded", 0)
        builder.link("imx219 10-0010", 0, "unicam-image", 0)
        return builder.graph
    }()

    /// A Raspberry Pi 5's: behind the receiver, pictures go to memory or to the image processor's front end.
    private static let pi5: MediaGraph = {
        var builder = Builder()
        builder.add("imx708", sensor, node: "/dev/v4l-subdev2", pads: 2)
        builder.add("csi2", bridge, node: "/dev/v4l-subdev0", pads: 8)
        builder.add("pisp-fe", scaler, node: "/dev/v4l-subdev1", pads: 5)
        builder.add("rp1-cfe-csi2_ch0", video, node: "/dev/video0", pads: 1)
        builder.add("rp1-cfe-csi2_ch1", video, node: "/dev/video1", pads: 1)
        builder.add("rp1-cfe-fe_image0", video, node: "/dev/video4", pads: 1)
        builder.link("csi2", 4, "pisp-fe", 0, enabled: false)
        builder.link("csi2", 5, "rp1-cfe-csi2_ch1", 0, enabled: false)
        builder.link("csi2", 4, "rp1-cfe-csi2_ch0", 0, enabled: false)
        builder.link("pisp-fe", 2, "rp1-cfe-fe_image0", 0, enabled: false)
        builder.link("imx708", 0, "csi2", 0)
        builder.link("imx708", 1, "csi2", 1)
        return builder.graph
    }()

    private func routes(_ graph: MediaGraph) throws -> [[String]] {
        try graph.paths(from: #require(graph.sensors.first)).map { $0.map(\.target.name) }
    }

    @Test("on a Raspberry Pi 4, pictures come before registers")
    func unicam() throws {
        try #expect(routes(Self.pi4) == [["unicam-image"], ["unicam-embedded"]])
    }

    @Test("on a Raspberry Pi 5, the shortest route avoids the image processor")
    func cfe() throws {
        try #expect(
            routes(Self.pi5) == [
                ["csi2", "rp1-cfe-csi2_ch0"], ["csi2", "rp1-cfe-csi2_ch1"], ["csi2", "pisp-fe", "rp1-cfe-fe_image0"],
            ])
    }

    @Test("a step knows the pads at both of its ends, and whether its link is enabled")
    func steps() throws {
        let sensor = try #require(Self.pi5.sensors.first)
        let route = try #require(Self.pi5.paths(from: sensor).first)
        #expect(route.map(\.source.index) == [0, 4])
        #expect(route.map(\.sink.index) == [0, 0])
        #expect(route.map(\.isEnabled) == [true, false])
    }

    @Test("a graph with a circle has an end")
    func circle() throws {
        var builder = Builder()
        builder.add("sensor", Self.sensor, node: "/dev/v4l-subdev0", pads: 1)
        builder.add("a", Self.bridge, pads: 2)
        builder.add("b", Self.bridge, pads: 2)
        builder.link("sensor", 0, "a", 0)
        builder.link("a", 1, "b", 0)
        builder.link("b", 1, "a", 0)
        try #expect(routes(builder.graph).isEmpty)
    }

    @Test("a sensor without a device node cannot be set up, and is left out")
    func withoutNode() {
        var builder = Builder()
        builder.add("sensor", Self.sensor, pads: 1)
        #expect(builder.graph.sensors.isEmpty)
    }
}

@Suite("The size of a sensor's pictures")
struct SensorSizeTests {
    private static let imx219 = OfferedFormat.Sizes.discrete(
        [(3280, 2464), (1920, 1080), (1640, 1232), (640, 480)].map { .init(width: $0.0, height: $0.1, rates: []) })

    @Test(
        "the smallest size that holds the wanted one is chosen, or else the largest",
        arguments: [
            ((640, 480), (640, 480)), ((641, 480), (1640, 1232)), ((1640, 1232), (1640, 1232)),
            ((1920, 1000), (1920, 1080)), ((9999, 9999), (3280, 2464)),
        ])
    func discrete(wanted: (Int, Int), size: (Int, Int)) {
        #expect(Self.imx219.best(width: wanted.0, height: wanted.1) == size)
    }

    @Test("within a range, the wanted size is chosen as far as possible")
    func stepwise() {
        let sizes = OfferedFormat.Sizes.stepwise(width: 16...4096, widthStep: 1, height: 16...2160, heightStep: 1)
        #expect(sizes.best(width: 641, height: 3000) == (641, 2160))
    }
}
