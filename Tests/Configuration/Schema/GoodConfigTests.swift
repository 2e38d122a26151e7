import Color
import Metrology
import Pixels
import TestSupport
import Testing
import Untrusted

@testable import Configuration

@Suite("Valid configurations")
struct GoodConfigTests {
    private func config(_ text: String, folder: String = "/nowhere") throws -> Config {
        try ConfigSchema.decode(TOMLDocument(parsing: text, file: "config.toml"), path: folder + "/config.toml")
    }

    @Test(
        "an omitted key has its default",
        arguments: ["", "\n", "# only a comment", "[camera]", "[camera]\n[web]\n\n", "camera = {}"])
    func defaults(_ text: String) throws {
        #expect(try config(text) == Config())
    }

    @Test(
        "every TOML spelling of a table means the same",
        arguments: [
            "[camera]\nwidth = 1280\nheight = 720",
            "camera.width = 1280\ncamera.height = 720",
            "camera = { width = 1280, height = 720 }",
            "\"camera\".'width' = 1_280\ncamera . height = 0x2D0",
            "[ camera ] # the picture\r\nwidth = +1280\r\nheight = 0o1320\r\n",
            "[camera]\n\twidth=0b10100000000\n\theight=720# high",
        ])
    func spellings(_ text: String) throws {
        var expected = Config()
        expected.camera.width = 1280
        expected.camera.height = 720
        #expect(try config(text) == expected)
    }

    @Test(
        "a number may have a decimal point",
        arguments: [
            ("25", 25), ("29.97", 29.97), ("1", 1), ("240.0", 240), ("6e1", 60), ("1_0.0", 10),
        ])
    func decimals(_ text: String, _ fps: Double) throws {
        #expect(try config("camera.fps = \(text)").camera.fps == fps)
    }

    @Test("the color of a target has any notation of CSS for opaque colours")
    func targets() throws {
        let colors = [
            "rgba(200,16,46,1)", "hsl(350deg 85% 42%)", "color(display-p3 0.7 0.1 0.2)", "#C8102EFF",
            "hsl(0.97turn 85% 42%)",
        ]
        let tables = colors.enumerated().map { "[[targets]]\nname = \"\($0)\"\ncolor = \"\($1)\"\n" }
        #expect(try config(tables.joined()).targets.map(\.colors) == colors.map { [$0] })
    }

    private static let states = ["ON", "OFF"].map { "[[targets]]\nname = \"\($0)\"\ncolor = \"red\"\n" }.joined()

    @Test("a probe may be an ellipse, be on a light, and have targets of its own")
    func probes() throws {
        let text =
            "[[probes]]\nname = \"A\"\nregion = [0, 0, 0.5, 1]\nshape = \"ellipse\"\nlight = true\ntargets = [\"ON\", \"OFF\"]\n"
        let probe = try #require(try config(text + Self.states).probes.first)
        #expect(probe.shape == .ellipse && probe.isLight && probe.targets == ["ON", "OFF"])
        #expect(probe.toml == text)
        #expect(try config("[[probes]]\nname = \"A\"\nregion = [0, 0, 0.5, 1]\n").probes.first?.targets == nil)
    }

    @Test("a target has one color, or a list of up to 8")
    func targetColors() throws {
        let target = try #require(
            try config("[[targets]]\nname = \"Leaf\"\ncolor = [\"green\", \"#3CBE3C\"]\n").targets.first)
        #expect(target.colors == ["green", "#3CBE3C"])
        #expect(target.colorTarget.colors == [try CSSColor.parse("green"), try CSSColor.parse("#3CBE3C")])
        #expect(target.toml.contains("color = [\"green\", \"#3CBE3C\"]\n"))
    }

    @Test(
        "a control may have any name",
        arguments: [
            "[camera.controls]\ngain = 7\npower_line_frequency = '50 Hz'\n'a b' = true",
            "[camera]\ncontrols = { gain = 7, power_line_frequency = \"50 Hz\", 'a b' = true }",
            "camera.controls.gain = 7\ncamera.controls.power_line_frequency = '50 Hz'\ncamera.controls.'a b' = true",
        ])
    func controlNames(_ text: String) throws {
        #expect(
            try config(text).camera.controls == [
                "gain": .integer(7), "power_line_frequency": .string("50 Hz"), "a b": .boolean(true),
            ])
    }

    @Test(
        "an allowed host is a name without a port",
        arguments: ["raspberrypi.local", "pi", "PI", "192.168.1.5", "swatch-cam.example.org", "a_b"])
    func allowedHost(_ name: String) throws {
        #expect(try config("web.allowed_hosts = ['x', '\(name)']").web.allowedHosts == ["x", name.lowercased()])
    }

    @Test(
        "a listening address is an IP address",
        arguments: ["0.0.0.0", "192.168.1.20", "::", "::1", "fe80::1", "::ffff:127.0.0.1"])
    func address(_ address: String) throws {
        #expect(try config("web.address = '\(address)'\nweb.token = '\(Token.random())'").web.address == address)
    }

    @Test(
        "a region may end at the edge, however its fractions are rounded",
        arguments: [("0.7", "0.3"), ("0.9", "0.1"), ("0.8", "0.2"), ("0.1", "0.9")])
    func regionAtEdge(_ x: String, _ width: String) throws {
        let region = try config("readings.region = [\(x), \(x), \(width), \(width)]").readings.region
        #expect(region.x + region.width <= 1)
        #expect(region.width > 0)
    }

    @Test(
        "a log level is one of swift-log's",
        arguments: ["trace", "debug", "info", "notice", "warning", "error", "critical"])
    func logLevel(_ level: String) throws {
        let config = try config("log.level = \"\(level)\"")
        #expect("\(config.log.level)" == level)
    }

    @Test("a folder is relative to the file and becomes absolute")
    func relativeFolder() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("my pages/deep")
        let expected = folder.path + "/my pages"
        for path in ["my pages", "./my pages/", "my pages/deep/..", expected] {
            #expect(try config("web.templates = \"\(path)\"", folder: folder.path).web.templates == expected)
        }
    }
}
