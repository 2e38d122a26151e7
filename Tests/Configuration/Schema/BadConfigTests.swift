import Testing
import Untrusted

@testable import Configuration

/// A faulty text and the lines that `swatchcam check` prints for it.
struct BadConfig: Sendable, CustomTestStringConvertible {
    let text: String
    let lines: [String]

    init(_ text: String, _ lines: String...) {
        self.text = text
        self.lines = lines.map { "config.toml:\($0)" }
    }

    var testDescription: String { text.escaped(limit: 60) }
}

@Suite("Faulty configurations")
struct BadConfigTests {
    /// Returns the lines that a text is refused with; none if it is accepted.
    private func lines(_ text: String) -> [String] {
        do {
            let document = try TOMLDocument(parsing: text, file: "config.toml")
            _ = try ConfigSchema.decode(document, path: "/nowhere/config.toml")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        "a faulty configuration is refused with the place and the reason",
        arguments: outOfRange + exposed + brokers + wrongTypes + badText + unknownKeys + badSyntax + nameless + several)
    func refused(_ bad: BadConfig) {
        #expect(lines(bad.text) == bad.lines)
    }

    static let unknownKeys = [
        BadConfig("[camera]\n\nwidht = 640", "3:1: camera.widht: unknown key. Did you mean camera.width?"),
        BadConfig("[camera]\nWIDTH = 640", "2:1: camera.WIDTH: unknown key. Did you mean camera.width?"),
        BadConfig("port = 80", "1:1: port: unknown key. Did you mean web.port?"),
        BadConfig("[camera]\nrate = 4", "2:1: camera.rate: unknown key. Did you mean readings.rate?"),
        BadConfig("web.prot = 80", "1:5: web.prot: unknown key. Did you mean web.port?"),
        BadConfig("\"camera.width\" = 3", "1:1: \"camera.width\": unknown key. Did you mean camera.width?"),
        BadConfig("web.hosts = []", "1:5: web.hosts: unknown key. It is now called web.allowed_hosts"),
        BadConfig("web.embedders = []", "1:5: web.embedders: unknown key. It is now called web.frame_ancestors"),
        BadConfig("[web]\nviewToken = ''", "2:1: web.viewToken: unknown key. It is now called web.view_token"),
        BadConfig(
            "camera.decode = 'auto'", "1:8: camera.decode: unknown key. Delete it: every frame is decoded in full"),
        BadConfig("[camra]\nwidth = 640", "1:2: camra: unknown table. Did you mean [camera]?"),
        BadConfig(
            "[camera]\nzoom = 2",
            "2:1: camera.zoom: unknown key. [camera] has device, width, height, format, fps, colorimetry, black_level, white_gains, rotate, mirror and controls"
        ),
        BadConfig("[camera]\nrotate = 45", "2:10: camera.rotate: 45 is not allowed; expected 0, 90, 180 or 270"),
        BadConfig(
            "[camera]\nwhite_gains = [1, 2]",
            "2:15: camera.white_gains: this list has 2 elements; expected three, [r, g, b]"),
        BadConfig(
            "[camera]\nwhite_gains = [1, 0.5, 2]", "2:19: camera.white_gains: 0.5 is out of range 1...16"),
        BadConfig(
            "[camera]\nwhite_gains = [1, \"2\", 2]",
            "2:19: camera.white_gains: \"2\" is a string; expected a number in 1...16"),
        BadConfig("[camera]\nblack_level = -1", "2:15: camera.black_level: -1 is out of range 0...60000"),
        BadConfig("[camera]\nmirror = 1", "2:10: camera.mirror: 1 is a whole number; expected true or false"),
        BadConfig(
            "[picture]\neffect = \"negative\"",
            "2:10: picture.effect: \"negative\" is not an effect; expected \"none\", \"red-to-blue\", \"grayscale\", \"invert\", "
                + "\"posterize\", \"threshold\", \"edges\", \"false-color\" or \"zebra\""),
        BadConfig(
            "[targets]\nname = \"x\"",
            "1:2: targets: this is a table; expected tables, each with the heading [[targets]]"),
        BadConfig("[[targets]]\ncolor = \"red\"", "1:3: targets: a target needs a name, as a string"),
        BadConfig(
            "[[targets]]\nname = \"x\"", "1:3: targets: \"x\" needs a color, as a string such as \"#C8102E\""),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolor = \"red\"\n\n[[targets]]\nname = \"x\"\ncolor = \"blue\"",
            "5:3: targets: there are two targets named \"x\""),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolor = \"#12\"",
            "1:3: targets: the color of \"x\": A hexadecimal colour is # and 3 or 6 of the digits 0 to 9 and a to f."),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolor = \"red\"\ntolerance = 0",
            "1:3: targets: the tolerance of \"x\": 0 is out of range 0.1...100"),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolor = \"red\"\nhue = true",
            "1:3: targets: the hue of \"x\": true is a boolean; expected a number"),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolour = \"red\"", "1:3: targets: unknown key \"colour\"; did you mean color?"),
        BadConfig(
            "[[targets]]\nname = \" \"\ncolor = \"red\"",
            "1:3: targets: the name \" \" is not 1 to 60 printable characters on one line"),
        BadConfig("targets = [1]", "1:12: targets: 1 is a whole number; expected a table"),
        BadConfig(
            String(repeating: "[[targets]]\nname = \"x\"\ncolor = \"red\"\n", count: 65),
            "1:3: targets: there are 65 targets; expected at most 64"),
        BadConfig("[[probes]]\nregion = [0, 0, 1, 1]", "1:3: probes: a probe needs a name, as a string"),
        BadConfig("[[probes]]\nname = \"x\"", "1:3: probes: \"x\" needs a region, [x, y, width, height] in 0...1"),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregion = [0, 0, 2, 1]",
            "1:3: probes: the region of \"x\": width: 2 is out of range 0...1"),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregion = 1",
            "1:3: probes: the region of \"x\": 1 is a whole number; expected a list of four numbers in 0...1, "
                + "[x, y, width, height]"),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregion = [0, 0, 1, 1]\nreference = 1",
            "1:3: probes: the reference of \"x\": 1 is a whole number; expected true or false"),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregions = [0, 0, 1, 1]",
            "1:3: probes: unknown key \"regions\"; did you mean region?"),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregion = [0, 0, 1, 1]\n\n[[probes]]\nname = \"x\"\nregion = [0, 0, 1, 1]",
            "5:3: probes: there are two probes named \"x\""),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregion = [0, 0, 1, 1]\nreference = true\n\n"
                + "[[probes]]\nname = \"y\"\nregion = [0, 0, 1, 1]\nreference = true",
            "6:3: probes: \"y\" and \"x\" are both the reference; one can be"),
        BadConfig(
            (0..<97).map { "[[probes]]\nname = \"\($0)\"\nregion = [0, 0, 1, 1]\n" }.joined(),
            "1:3: probes: there are 97 probes; expected at most 96"),
        BadConfig(
            "[sound]",
            "1:2: sound: unknown table. The tables are camera, readings, targets, probes, picture, kiosk, history, web, mqtt, metrics and log"
        ),
        BadConfig(
            "[camera.controls]\ngain = 1.5",
            "2:8: camera.controls.gain: 1.5 is a decimal number; expected a whole number, true, false or a string"
        ),
        BadConfig(
            "camera = { controls = { gain = 1, \"a b\" = [] } }",
            "1:43: camera.controls.\"a b\": this is a list; expected a whole number, true, false or a string"
        ),
        BadConfig(
            "camera.controls = 7",
            "1:19: camera.controls: 7 is a whole number; expected a table of the camera's controls"),
        BadConfig(
            "web.allowed_hosts = 'pi'",
            "1:21: web.allowed_hosts: \"pi\" is a string; expected a list of host names such as [\"raspberrypi.local\"]"
        ),
        BadConfig(
            "web.allowed_hosts = ['pi', 'pi:80']",
            "1:28: web.allowed_hosts: \"pi:80\" is not a host name; expected one such as raspberrypi.local, without a port"
        ),
        BadConfig(
            "web.frame_ancestors = ['*']",
            "1:24: web.frame_ancestors: \"*\" is not an origin; expected http:// or https://, a host and optionally a port"
        ),
        BadConfig(
            "web.frame_ancestors = ['http://a:+80']",
            "1:24: web.frame_ancestors: \"http://a:+80\" is not an origin; expected http:// or https://, a host and optionally a port"
        ),
        BadConfig(
            "web.frame_ancestors = ['http://[::1]:8080']",
            "1:24: web.frame_ancestors: \"http://[::1]:8080\" has an IPv6 address, which a Content Security Policy cannot express; use a host name"
        ),
        BadConfig(
            "web.frame_ancestors = ['http://a b', 7]",
            "1:24: web.frame_ancestors: \"http://a b\" is not an origin; expected http:// or https://, a host and optionally a port"
        ),
        BadConfig(
            "[camera.control]\ngain = 1", "1:9: camera.control: unknown table. Did you mean [camera.controls]?"),
        BadConfig(
            "[log]\n\"we\\nird\" = 1", "2:1: log.\"we\\nird\": unknown key. [log] has level"),
        BadConfig("[log]\n'' = 1", "2:1: log.\"\": unknown key. [log] has level"),
        BadConfig("[log]\nazAZ09_- = 1", "2:1: log.azAZ09_-: unknown key. [log] has level"),
        BadConfig("[log]\n'a b' = 1", "2:1: log.\"a b\": unknown key. [log] has level"),
        // A name of this length may be a token, and is hidden.
        BadConfig(
            "[log]\n\(String(repeating: "a", count: 60)) = 1", "2:1: log.(hidden): unknown key. [log] has level"),
        BadConfig(
            "[log]\n\(String(repeating: "a", count: 61)) = 1",
            "2:1: log.\"(hidden)…\": unknown key. [log] has level"),
        BadConfig(
            "x.a = 1\nx.b = 2",
            "1:1: x: unknown table. The tables are camera, readings, targets, probes, picture, kiosk, history, web, mqtt, metrics and log"
        ),
    ]

    static let badSyntax = [
        BadConfig("[log]\nlevel = info", "2:9: not valid TOML: info is not a value; write strings in quotes"),
        BadConfig(
            "[camera]\ndevice = HD Webcam # the big one",
            "2:10: not valid TOML: HD Webcam is not a value; write strings in quotes"),
        BadConfig(
            "[web]\naddress = 127.0.0.1",
            "2:11: not valid TOML: 127.0.0.1 is not a value; write strings in quotes"),
        BadConfig(
            "[web]\naddress = ::1", "2:11: not valid TOML: ::1 is not a value; write strings in quotes"),
        BadConfig(
            "[camera]\ndevice = /dev/video0",
            "2:10: not valid TOML: /dev/video0 is not a value; write strings in quotes"),
        BadConfig(
            "[web]\ntemplates = ~/pages",
            "2:13: not valid TOML: ~/pages is not a value; write strings in quotes"),
        BadConfig(
            "[camera]\nwidth = 1.2.3",
            "2:9: not valid TOML: 1.2.3 is not a value; expected a number, true, false or a string in quotes"),
        BadConfig(
            "[camera]\nwidth = 640\nwidth = 320",
            "3:9: not valid TOML, while parsing key-value pair: cannot redefine existing integer 'width'"),
        BadConfig(
            "[camera]\nwidth = 640\n[camera]\nheight = 480",
            "3:1: not valid TOML, while parsing table header: cannot redefine existing table 'camera'"),
        BadConfig(
            "[camera]\nwidth = 99999999999999999999\n",
            "2:29: not valid TOML, while parsing decimal integer: "
                + "'99999999999999999999' is not representable in 64 bits"),
        BadConfig("[camera]\ndevice = \"a", "2:12: not valid TOML, while parsing string: encountered end-of-file"),
        // If a text ends with a newline, the parser names a column that its last line does not have.
        BadConfig("x = '''\na\n", "3:1: not valid TOML, while parsing literal string: encountered end-of-file"),
        BadConfig("[camera\n", "1:8: not valid TOML, while parsing table header: expected ']', saw '\\n'"),
        BadConfig(
            "[camera]\ndevice = \"a\\u0000b\"",
            "2:10: not valid TOML: this string contains a NUL character, which is not allowed"),
        // A mistake before the NUL is reported instead.
        BadConfig(
            "[camera\ndevice = \"a\\u0000b\"",
            "1:8: not valid TOML, while parsing table header: expected ']', saw '\\n'"),
        BadConfig(
            "[web]\nport = 80\u{0}\nport = 70000",
            "2:8: not valid TOML: this is a NUL byte; the file is not text, or is damaged"),
        BadConfig(
            "# a comment\u{0}\n[web]\nport = 70000",
            "1:12: not valid TOML: this is a NUL byte; the file is not text, or is damaged"),
        BadConfig(
            "x = " + String(repeating: "[", count: 1000), "1:21: not valid TOML: nested more than 16 levels deep"),
        BadConfig(
            Array(repeating: "a", count: 200_000).joined(separator: ".") + " = 1",
            "1:34: not valid TOML: nested more than 16 levels deep"),
        BadConfig(
            "[" + Array(repeating: "\"a\"", count: 200_000).joined(separator: " . ") + "]\nx = = 1",
            "1:102: not valid TOML: nested more than 16 levels deep"),
    ]

    private static func noValue(_ text: String) -> BadConfig {
        BadConfig(
            "x = \(text)",
            "1:5: not valid TOML: \(text) is not a value; expected a number, true, false or a string in quotes")
    }

    /// Texts that would make the parser end the process.
    static let nameless =
        ["[$]", "[=]\n", "[.camera]", "[ # x\n]", "[\rx]", "[[,]]", "[\ncamera]", "[é]", "[", "[["]
        .map {
            BadConfig(
                "[log]\n" + $0,
                "2:1: not valid TOML: expected the name of a table between these brackets, such as [camera]")
        } + [
            BadConfig("x = [1, }", "1:9: not valid TOML: this \"}\" closes a list; expected \"]\""),
            noValue("1979-05-27 0"), noValue("1_979-05-27 7"), noValue("0:-"), noValue("640px"), noValue("0640"),
            noValue(".5"), noValue("15:30"),
            BadConfig(
                "x = [\u{2028}]",
                "1:6: not valid TOML: \"\\u2028\" contains characters that are allowed only in strings and comments"),
            BadConfig(
                "[camera]\ndevice = \u{1F4F7}",
                "2:10: not valid TOML: \"\u{1F4F7}\" contains characters that are allowed only in strings and comments"),
            BadConfig(
                "level = info\n[$]\n", "1:9: not valid TOML: info is not a value; write strings in quotes"),
        ]

    static let several = [
        BadConfig(
            "[web]\nport = 0\n[camera]\nfps = 900 # fast\nhight = \"x\"\nwidth = false\n",
            "2:8: web.port: 0 is out of range 1...65535",
            "4:7: camera.fps: 900 is out of range 1...240",
            "5:1: camera.hight: unknown key. Did you mean camera.height?",
            "6:9: camera.width: false is a boolean; expected a whole number in 1...16384"),
        BadConfig(
            "camera = { width = 0, \"height\" = 99999 }\r\nlog = { level = 3 }\r\n",
            "1:20: camera.width: 0 is out of range 1...16384",
            "1:34: camera.height: 99999 is out of range 1...16384",
            "2:17: log.level: 3 is a whole number; expected \"trace\", \"debug\", \"info\", \"notice\", \"warning\", "
                + "\"error\" or \"critical\""),
        BadConfig(
            "[camera]\n# \"unclosed\ndevice = '''\nx = 1 # no comment\n[web]'''\nfps = 0",
            "3:10: camera.device: \"x = 1 # no comment\\n[web]\" contains a control character; write \"auto\", "
                + "\"test-pattern\", a device node, or what `swatchcam cameras` prints",
            "6:7: camera.fps: 0 is out of range 1...240"),
    ]

    @Test("only the first hundred of many problems are listed")
    func manyProblems() {
        let text = (0..<5000).map { "key\($0) = \($0)\n" }.joined()
        let lines = lines(text)
        #expect(lines.count == 101)
        #expect(
            lines.first == "config.toml:1:1: key0: unknown key. "
                + "The tables are camera, readings, targets, probes, picture, kiosk, history, web, mqtt, metrics and log"
        )
        #expect(lines.last == "config.toml: and 4900 more")
    }

    @Test("a hundred problems are all listed; of any more, only the number is given")
    func hundred() {
        let keys = (0..<101).map { "key\($0) = 1\n" }
        #expect(lines(keys.dropLast().joined()).count == 100)
        #expect(lines(keys.joined()).last == "config.toml: and 1 more")
    }

    @Test("the listed problems are the first in the file")
    func firstProblems() {
        // The keys are in descending order, so that neither chance nor the alphabet produces the file's order.
        let text = (0..<300).reversed().map { "key\($0) = \($0)\n" }.joined() + "[camera]\nfsp = 15\n"
        let places = lines(text).dropLast().map { $0.split(separator: ":")[1] }
        #expect(places == (1...100).map { "\($0)" })
    }
}
