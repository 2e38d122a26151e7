import Pixels
import TestSupport
import Testing

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

    @Test(
        "a string may have any form that TOML has",
        arguments: [
            #""HD Pro Webcam C920""#, #"'HD Pro Webcam C920'"#, #""\u0048D Pro Webcam C920""#,
            "\"\"\"HD Pro Webcam C920\"\"\"", "'''\nHD Pro Webcam C920'''",
        ])
    func strings(_ text: String) throws {
        #expect(try config("camera.device = \(text)").camera.device == "HD Pro Webcam C920")
    }

    @Test(
        "a camera may have any name",
        arguments: ["Kamera für Ölfarben", "カメラ", "/dev/v4l/by-id/usb-046d-index0", "📷", "a\\\"b"])
    func cameraName(_ name: String) throws {
        #expect(try config("camera.device = '\(name)'").camera.device == name)
    }

    @Test(
        "a format is auto or a fourcc",
        arguments: [
            ("auto", "auto"), ("YUYV", "YUYV"), ("Y16 ", "Y16"), ("Y16 -BE", "Y16 -BE"), ("XR24-BE", "XR24-BE"),
            ("H", "H"),
        ])
    func format(_ text: String, _ format: String) throws {
        #expect(try config("camera.format = \"\(text)\"").camera.format == format)
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
        "a frame ancestor is an origin",
        arguments: ["http://homeassistant.local:8123", "https://ha.example", "http://192.168.1.5:80"])
    func frameAncestor(_ origin: String) throws {
        #expect(try config("web.frame_ancestors = ['\(origin)']").web.frameAncestors == [origin])
    }

    @Test(
        "a listening address is an IP address",
        arguments: ["0.0.0.0", "192.168.1.20", "::", "::1", "fe80::1", "::ffff:127.0.0.1"])
    func address(_ address: String) throws {
        #expect(try config("web.address = '\(address)'\nweb.token = '\(Token.random())'").web.address == address)
    }

    @Test("localhost stands for the loopback address")
    func localhost() throws {
        #expect(try config("web.address = \"localhost\"").web.address == "127.0.0.1")
    }

    @Test("a port may be 1 to 65535", arguments: [1, 80, 65535])
    func port(_ port: UInt16) throws {
        #expect(try config("web.port = \(port)").web.port == port)
    }

    @Test("a region may mix whole numbers and fractions")
    func region() throws {
        let region = Region(x: 0, y: 0.25, width: 1, height: 0.5)
        #expect(try config("readings.region = [0, 0.25, 1, 0.5,]").readings.region == region)
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
