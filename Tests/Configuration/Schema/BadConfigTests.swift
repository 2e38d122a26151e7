import Testing
import Untrusted

@testable import Configuration

/// A faulty text and the lines that `swatchcam check` prints for it.
struct BadConfig: Sendable, CustomTestStringConvertible {
    let text: String
    private(set) var lines: [String]

    init(_ text: String, _ lines: String...) {
        self.text = text
        self.lines = lines.map { "config.toml:\($0)" }
    }

    var testDescription: String { text.escaped(limit: 60) }

    /// Returns the cases of a table. In it, ⏎ ends a line of the text, and the lines about it are indented.
    static func table(_ table: String) -> [BadConfig] {
        var cases: [BadConfig] = []
        for line in table.split(separator: "\n") {
            if line.hasPrefix("    ") {
                cases[cases.count - 1].lines.append("config.toml:" + line.dropFirst(4))
            } else {
                cases.append(BadConfig(String(line).replacing("⏎", with: "\n")))
            }
        }
        return cases
    }
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
        arguments: outOfRange + exposed + brokers + wrongTypes + badText + unknownKeys + badSyntax + several + others
            + nameless)
    func refused(_ bad: BadConfig) {
        #expect(lines(bad.text) == bad.lines)
    }

    private static let outOfRange = BadConfig.table(
        #"""
        [camera]⏎fps = 900⏎
            2:7: camera.fps: 900 is out of range 1...240
        [camera]⏎fps = nan
            2:7: camera.fps: nan is out of range 1...240
        [camera]⏎width = 0
            2:9: camera.width: 0 is out of range 1...16384
        camera.height = 16385
            1:17: camera.height: 16385 is out of range 1...16384
        [readings]⏎rate = 0.05
            2:8: readings.rate: 0.05 is out of range 0.1...60
        [web]⏎port = 0
            2:8: web.port: 0 is out of range 1...65535
        [web]⏎port = 9223372036854775807
            2:8: web.port: 9223372036854775807 is out of range 1...65535
        [readings]⏎region = [⏎  0, # left⏎  -0.1,⏎  1, 1,⏎]
            4:3: readings.region: y: -0.1 is out of range 0...1
        [readings]⏎region = [0, 0, 0, 1]
            2:17: readings.region: width: 0 leaves nothing to read; expected more than 0
        [readings]⏎region = [0.5, 0, 0.75, 1]
            2:10: readings.region: x + width is 1.25, beyond the picture's right edge; expected at most 1
        """#)

    /// The messages do not repeat the values, which may be tokens.
    private static let exposed = BadConfig.table(
        #"""
        [web]⏎address = '0.0.0.0'
            2:11: web.address: "0.0.0.0" lets other machines connect, which requires web.token; `swatchcam token` prints one
        web.token = 'hunter2'
            1:13: web.token: it has 7 characters; expected 32 to 256; `swatchcam token` prints one
        web.token = 7
            1:13: web.token: this is not a string; `swatchcam token` prints one
        """#)

    /// Among them are files that have no effect without another line: a password must not be sent in the clear because a
    /// line is missing.
    private static let brokers = BadConfig.table(
        #"""
        mqtt.host = 'mqtt://broker'
            1:13: mqtt.host: "mqtt://broker" is a URL; write only the name, and set mqtt.tls for an encrypted connection
        mqtt.host = 'broker:1883'
            1:13: mqtt.host: "broker:1883" is not a name; the port belongs in mqtt.port
        mqtt.host = '-x'
            1:13: mqtt.host: "-x" is not the name or address of a machine
        mqtt.port = 0
            1:13: mqtt.port: 0 is out of range 1...65535
        mqtt.interval = 31
            1:17: mqtt.interval: 31 is out of range 1...30
        mqtt.change = -1
            1:15: mqtt.change: -1 is out of range 0...100
        mqtt.user = ''
            1:13: mqtt.user: the name is empty; write one, or omit the key
        mqtt.topic = 'a/#'
            1:14: mqtt.topic: "a/#" is not such a topic; expected letters, digits, - and _, with / between levels
        mqtt.ca_file = '/etc/hostname'
            1:16: mqtt.ca_file: this has no effect without encryption; set mqtt.tls = true
        [mqtt]⏎tls = true⏎key_file = '/etc/hostname'
            3:12: mqtt.key_file: this requires mqtt.certificate_file, too
        mqtt.password_file = '/etc/hostname'
            1:22: mqtt.password_file: a password requires mqtt.user, too
        mqtt.password_file = '/etc'
            1:22: mqtt.password_file: "/etc" is a folder
        """#)

    private static let wrongTypes = BadConfig.table(
        #"""
        [camera]⏎width = "640"
            2:9: camera.width: "640" is a string; expected a whole number in 1...16384
        [camera]⏎width = 640.0
            2:9: camera.width: 640.0 is a decimal number; expected a whole number in 1...16384
        [camera]⏎fps = true
            2:7: camera.fps: true is a boolean; expected a number in 1...240
        [camera]⏎device = 0
            2:10: camera.device: 0 is a whole number; expected a string such as "auto" or "/dev/video0"
        [camera]⏎device = 1979-05-27T07:32:00Z
            2:10: camera.device: this is a date; expected a string such as "auto" or "/dev/video0"
        [camera.width]⏎x = 1
            1:9: camera.width: this is a table; expected a whole number in 1...16384
        camera = "x"
            1:10: camera: "x" is a string; expected a table: [camera]
        [[web]]⏎port = 80
            1:3: web: this is a list; expected a table: [web]
        [readings]⏎region = [0, [0], "1", 1]
            2:14: readings.region: y: this is a list; expected a number in 0...1
        [readings]⏎region = 1
            2:10: readings.region: 1 is a whole number; expected a list of four numbers in 0...1, [x, y, width, height]
        [web]⏎templates = ["a"]
            2:13: web.templates: this is a list; expected the path of a folder, as a string
        """#)

    private static let badText = BadConfig.table(
        #"""
        [camera]⏎device = " "
            2:10: camera.device: " " does not name a camera; write "auto", "test-pattern", a device node, or what `swatchcam cameras` prints
        [camera]⏎device = "a\nb\u202E"
            2:10: camera.device: "a\nb\u202E" contains a control character; write "auto", "test-pattern", a device node, or what `swatchcam cameras` prints
        [camera]⏎format = "TOOLONG"
            2:10: camera.format: "TOOLONG" is not a V4L2 fourcc; expected one to four printable ASCII characters, followed by "-BE" for a big-endian format
        [camera]⏎format = "AUTO"
            2:10: camera.format: "AUTO" is not a format; did you mean "auto"?
        [web]⏎address = "example.org"
            2:11: web.address: "example.org" is not an IPv4 or IPv6 address; expected one such as "127.0.0.1" or "::1", because host names are not looked up
        [readings]⏎palette = "brand.gpl"
            2:11: readings.palette: there is no file "/nowhere/brand.gpl"
        [readings]⏎palette = "/dev"
            2:11: readings.palette: "/dev" is a folder
        [readings]⏎palette = ""
            2:11: readings.palette: the path is empty; write the path of a file, or omit the key
        [web]⏎title = " "
            2:9: web.title: the title is empty; write one, or omit the key
        [web]⏎title = "a\u202Eb"
            2:9: web.title: "a\u202Eb" contains a character that cannot be shown on one line
        [web]⏎templates = ""
            2:13: web.templates: the path is empty; write the path of a folder, or omit the key
        [web]⏎resources = "~/pages"
            2:13: web.resources: there is no folder "~/pages"; "~" is not expanded here, so write the full path
        [web]⏎resources = "pages"
            2:13: web.resources: there is no folder "/nowhere/pages"
        [web]⏎resources = "/dev/null"
            2:13: web.resources: "/dev/null" is not a folder, or this user may not enter it
        [log]⏎level = "warn"
            2:9: log.level: "warn" is not a log level; did you mean "warning"?
        """#)

    private static let unknownKeys = BadConfig.table(
        #"""
        [camera]⏎⏎widht = 640
            3:1: camera.widht: unknown key. Did you mean camera.width?
        port = 80
            1:1: port: unknown key. Did you mean web.port?
        "camera.width" = 3
            1:1: "camera.width": unknown key. Did you mean camera.width?
        web.hosts = []
            1:5: web.hosts: unknown key. It is now called web.allowed_hosts
        [web]⏎viewToken = ''
            2:1: web.viewToken: unknown key. It is now called web.view_token
        camera.decode = 'auto'
            1:8: camera.decode: unknown key. Delete it: every frame is decoded in full
        [camra]⏎width = 640
            1:2: camra: unknown table. Did you mean [camera]?
        [camera]⏎zoom = 2
            2:1: camera.zoom: unknown key. [camera] has device, width, height, format, fps, colorimetry, black_level, white_gains, rotate, mirror and controls
        [camera]⏎rotate = 45
            2:10: camera.rotate: 45 is not allowed; expected 0, 90, 180 or 270
        [camera]⏎white_gains = [1, 2]
            2:15: camera.white_gains: this list has 2 elements; expected three, [r, g, b]
        [camera]⏎white_gains = [1, 0.5, 2]
            2:19: camera.white_gains: 0.5 is out of range 1...16
        [camera]⏎white_gains = [1, "2", 2]
            2:19: camera.white_gains: "2" is a string; expected a number in 1...16
        [camera]⏎black_level = -1
            2:15: camera.black_level: -1 is out of range 0...60000
        [camera]⏎mirror = 1
            2:10: camera.mirror: 1 is a whole number; expected true or false
        [picture]⏎effect = "negative"
            2:10: picture.effect: "negative" is not an effect; expected "none", "red-to-blue", "grayscale", "invert", "posterize", "threshold", "edges", "false-color", "zebra" or "targets"
        [targets]⏎name = "x"
            1:2: targets: this is a table; expected tables, each with the heading [[targets]]
        [[targets]]⏎color = "red"
            1:3: targets: a target needs a name, as a string
        [[targets]]⏎name = "x"
            1:3: targets: "x" needs a color, as a string such as "#C8102E"
        [[targets]]⏎name = "x"⏎color = "red"⏎⏎[[targets]]⏎name = "x"⏎color = "blue"
            5:3: targets: there are two targets named "x"
        [[targets]]⏎name = "x"⏎color = "#12"
            3:9: targets: the color of "x": A hexadecimal colour is # and 3, 4, 6 or 8 of the digits 0 to 9 and a to f.
        [[targets]]⏎name = "x"⏎color = "red"⏎tolerance = 0
            4:13: targets: the tolerance of "x": 0 is out of range 0.1...100
        [[targets]]⏎name = "x"⏎color = "red"⏎hue = true
            4:7: targets: the hue of "x": true is a boolean; expected a number
        [[targets]]⏎name = "x"⏎colour = "red"
            3:10: targets: unknown key "colour"; did you mean color?
        [[targets]]⏎name = " "⏎color = "red"
            2:8: targets: the name " " is not 1 to 60 printable characters on one line
        [[scales]]⏎name = "pH"
            1:3: scales: "pH" needs points, such as [{ value = 6, color = "#E8C34A" }]
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "red" }]
            3:10: scales: the points of "pH": there are 1 points; expected 3 to 32
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "red" }, { value = 6, color = "lime" }, { value = 7, color = "blue" }]
            3:10: scales: the points of "pH": there are two points of the value 6
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "red" }, { value = 7, color = "#F00" }, { value = 8, color = "blue" }]
            3:10: scales: the points of "pH": the points of 6 and 7 have the same color
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "red" }, { value = 7, probe = "B" }, { value = 8, color = "blue" }]
            3:10: scales: the points of "pH": either all points have a color, or all have a probe
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = ["red", "lime"] }, { value = 7, color = "blue" }, { value = 8, color = "red" }]
            3:10: scales: the points of "pH": the points of 6 and 7 have different numbers of pads
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = ["red", "lime"] }, { value = 7, color = ["red", "blue"] }, { value = 8, color = ["lime", "red"] }]
            1:3: scales: "pH": each point has 2 pads, so probe has to name as many, whose colors are read
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = ["red", "red", "red", "red", "red"] }, { value = 7, color = "blue" }, { value = 8, color = "red" }]
            3:10: scales: the points of "pH": a scale has up to 4 pads, and not 5
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "red", error = 21 }, { value = 7, color = "blue" }, { value = 8, color = "red" }]
            3:10: scales: the points of "pH": error is the standard error of the color in CIELAB, 0...20
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, probe = "a", error = 1 }, { value = 7, probe = "b" }, { value = 8, probe = "c" }]
            3:10: scales: the points of "pH": this is a table; expected a value and a color or a probe, such as { value = 6, color = "#E8C34A" }
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "reed" }, { value = 7, color = "lime" }, { value = 8, color = "blue" }]
            3:10: scales: the points of "pH": CSS has no colour of this name. A colour is a name in CSS, hexadecimal such as #3fa7d6, or one of rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch() and color().
        [[scales]]⏎name = "pH"⏎points = [{ value = 6, color = "red" }, { value = 7, color = "lime" }, { value = 8, color = "blue" }]⏎probe = "strip"
            1:3: scales: the scale "pH": there is no probe named "strip"
        [[scales]]⏎name = "pH"⏎tolerance = 0
            1:3: scales: "pH" needs points, such as [{ value = 6, color = "#E8C34A" }]
            3:13: scales: the tolerance of "pH": 0 is out of range 0.5...100
        targets = [1]
            1:12: targets: 1 is a whole number; expected a table
        targets = [1, {name = "x"}, {name = "y", color = "red"}, {color = 7, hue = 0}]
            1:12: targets: 1 is a whole number; expected a table
            1:15: targets: "x" needs a color, as a string such as "#C8102E"
            1:58: targets: a target needs a name, as a string
            1:58: targets: the color of this target: 7 is a whole number; expected a color, as a string such as "#C8102E"
            1:58: targets: the hue of this target: 0 is out of range 0.1...100
        [[targets]]⏎name = "A"⏎color = "rgba(200,16,46,.5)"⏎[[targets]]⏎name = "B"⏎color = "hsl(350deg 85% 42%)"⏎[[targets]]⏎name = "C"⏎color = "color(p3 0.7 0.1 0.2)"⏎tolerance = 200⏎chroma = "1"⏎[[targets]]⏎name = "B"⏎color = "#C8102EFF"⏎[[targets]]⏎nmae = "E"⏎color = "hsl(10, 50%, 0)"⏎tolerence = 3
            3:9: targets: the color of "A": This colour is not opaque, so it cannot be compared: its alpha must be 1.
            9:9: targets: the color of "C": color() begins with a space: one of srgb, srgb-linear, display-p3, display-p3-linear, a98-rgb, prophoto-rgb, rec2020, xyz, xyz-d50 and xyz-d65.
            10:13: targets: the tolerance of "C": 200 is out of range 0.1...100
            11:10: targets: the chroma of "C": "1" is a string; expected a number
            12:3: targets: there are two targets named "B"
            16:8: targets: unknown key "nmae"; did you mean name?
            17:9: targets: the color of this target: hsl(): with commas, saturation and lightness must be percentages.
            18:13: targets: unknown key "tolerence"; did you mean tolerance?
        [[probes]]⏎region = [0, 0, 1, 1]
            1:3: probes: a probe needs a name, as a string
        [[probes]]⏎name = "x"
            1:3: probes: "x" needs a region, [x, y, width, height] in 0...1
        [[probes]]⏎name = "x"⏎region = [0, 0, 2, 1]
            3:10: probes: the region of "x": width: 2 is out of range 0...1
        [[probes]]⏎name = "x"⏎region = 1
            3:10: probes: the region of "x": 1 is a whole number; expected a region, [x, y, width, height] in 0...1
        [[probes]]⏎name = "x"⏎region = [0, 0, 1, 1]⏎reference = 1
            4:13: probes: the reference of "x": 1 is a whole number; expected true or false
        [[probes]]⏎name = 1⏎region = [0, 0, 1]⏎reference = "no"⏎[[probes]]⏎name = "y"⏎size = 1
            2:8: probes: a probe needs a name, as a string
            3:10: probes: the region of this probe: this list has 3 elements; expected four, [x, y, width, height]
            4:13: probes: the reference of this probe: "no" is a string; expected true or false
            5:3: probes: "y" needs a region, [x, y, width, height] in 0...1
            7:8: probes: unknown key "size"; a probe has name, region, shape, reference, light, targets
        [[probes]]⏎name = "x"⏎regions = [0, 0, 1, 1]
            3:11: probes: unknown key "regions"; did you mean region?
        [[probes]]⏎name = "x"⏎region = [0, 0, 1, 1]⏎⏎[[probes]]⏎name = "x"⏎region = [0, 0, 1, 1]
            5:3: probes: there are two probes named "x"
        [[probes]]⏎name = "x"⏎region = [0, 0, 1, 1]⏎reference = true⏎⏎[[probes]]⏎name = "y"⏎region = [0, 0, 1, 1]⏎reference = true
            6:3: probes: "y" and "x" are both the reference; one can be
        [sound]
            1:2: sound: unknown table. The tables are camera, readings, targets, probes, scales, picture, kiosk, history, web, mqtt, events, metrics and log
        [camera.controls]⏎gain = 1.5
            2:8: camera.controls.gain: 1.5 is a decimal number; expected a whole number, true, false or a string
        camera = { controls = { gain = 1, "a b" = [] } }
            1:43: camera.controls."a b": this is a list; expected a whole number, true, false or a string
        camera.controls = 7
            1:19: camera.controls: 7 is a whole number; expected a table of the camera's controls
        web.allowed_hosts = 'pi'
            1:21: web.allowed_hosts: "pi" is a string; expected a list of host names such as ["raspberrypi.local"]
        web.allowed_hosts = ['pi', 'pi:80']
            1:28: web.allowed_hosts: "pi:80" is not a host name; expected one such as raspberrypi.local, without a port
        web.frame_ancestors = ['*']
            1:24: web.frame_ancestors: "*" is not an origin; expected http:// or https://, a host and optionally a port
        web.frame_ancestors = ['http://[::1]:8080']
            1:24: web.frame_ancestors: "http://[::1]:8080" has an IPv6 address, which a Content Security Policy cannot express; use a host name
        [camera.control]⏎gain = 1
            1:9: camera.control: unknown table. Did you mean [camera.controls]?
        [log]⏎"we\nird" = 1
            2:1: log."we\nird": unknown key. [log] has level
        [log]⏎'' = 1
            2:1: log."": unknown key. [log] has level
        [log]⏎azAZ09_- = 1
            2:1: log.azAZ09_-: unknown key. [log] has level
        [log]⏎'a b' = 1
            2:1: log."a b": unknown key. [log] has level
        x.a = 1⏎x.b = 2
            1:1: x: unknown table. The tables are camera, readings, targets, probes, scales, picture, kiosk, history, web, mqtt, events, metrics and log
        """#)

    /// If a text ends with a newline, the parser names a column that its last line does not have. A mistake before a NUL is
    /// reported instead of it.
    private static let badSyntax = BadConfig.table(
        #"""
        [log]⏎level = info
            2:9: not valid TOML: info is not a value; write strings in quotes
        [camera]⏎device = HD Webcam # the big one
            2:10: not valid TOML: HD Webcam is not a value; write strings in quotes
        [web]⏎address = 127.0.0.1
            2:11: not valid TOML: 127.0.0.1 is not a value; write strings in quotes
        [camera]⏎width = 1.2.3
            2:9: not valid TOML: 1.2.3 is not a value; expected a number, true, false or a string in quotes
        [camera]⏎width = 640⏎width = 320
            3:9: not valid TOML, while parsing key-value pair: cannot redefine existing integer 'width'
        [camera]⏎width = 640⏎[camera]⏎height = 480
            3:1: not valid TOML, while parsing table header: cannot redefine existing table 'camera'
        [camera]⏎width = 99999999999999999999⏎
            2:29: not valid TOML, while parsing decimal integer: '99999999999999999999' is not representable in 64 bits
        [camera]⏎device = "a
            2:12: not valid TOML, while parsing string: encountered end-of-file
        x = '''⏎a⏎
            3:1: not valid TOML, while parsing literal string: encountered end-of-file
        [camera⏎
            1:8: not valid TOML, while parsing table header: expected ']', saw '\n'
        [camera]⏎device = "a\u0000b"
            2:10: not valid TOML: this string contains a NUL character, which is not allowed
        [camera⏎device = "a\u0000b"
            1:8: not valid TOML, while parsing table header: expected ']', saw '\n'
        """#)

    private static let several = BadConfig.table(
        #"""
        [web]⏎port = 0⏎[camera]⏎fps = 900 # fast⏎hight = "x"⏎width = false⏎
            2:8: web.port: 0 is out of range 1...65535
            4:7: camera.fps: 900 is out of range 1...240
            5:1: camera.hight: unknown key. Did you mean camera.height?
            6:9: camera.width: false is a boolean; expected a whole number in 1...16384
        [camera]⏎# "unclosed⏎device = '''⏎x = 1 # no comment⏎[web]'''⏎fps = 0
            3:10: camera.device: "x = 1 # no comment\n[web]" contains a control character; write "auto", "test-pattern", a device node, or what `swatchcam cameras` prints
            6:7: camera.fps: 0 is out of range 1...240
        """#)

    private static let letters = String(repeating: "a", count: 32)

    private static let others = [
        BadConfig(
            "web.view_token = '\(letters)'",
            "1:18: web.view_token: a view token requires web.token, too; `swatchcam token` prints one"),
        BadConfig(
            "[web]\ntoken = '\(letters)'\nview_token = '\(letters)'",
            "3:14: web.view_token: this is the same as web.token; set another token for read-only access"),
        BadConfig(
            "web.token = '\(letters) '",
            "1:13: web.token: it may contain only letters, digits and -._~+/=; `swatchcam token` prints one"),
        BadConfig(
            "[camera]\ndevice = \"" + String(repeating: "é", count: 300) + "\"",
            "2:10: camera.device: \"" + String(repeating: "é", count: 60)
                + "…\" is 300 characters long; expected at most 255"),
        BadConfig(
            "[camera]\ndevice = \"" + String(repeating: "e\u{301}", count: 128) + "\"",
            "2:10: camera.device: \"" + String(repeating: "e\u{301}", count: 30)
                + "…\" is 256 characters long; expected at most 255"),
        BadConfig(
            String(repeating: "[[targets]]\nname = \"x\"\ncolor = \"red\"\n", count: 65),
            "1:3: targets: there are 65 targets; expected at most 64"),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolor = []",
            "3:9: targets: the color of \"x\": there are 0 colors; expected 1 to 8"),
        BadConfig(
            "[[targets]]\nname = \"x\"\ncolor = [\"red\", 7]",
            "3:9: targets: the color of \"x\": 7 is a whole number; expected a color, as a string such as \"#C8102E\""),
        BadConfig(
            (0..<97).map { "[[probes]]\nname = \"\($0)\"\nregion = [0, 0, 1, 1]\n" }.joined(),
            "1:3: probes: there are 97 probes; expected at most 96"),
        BadConfig(
            "[[probes]]\nname = \"x\"\nregion = [0, 0, 1, 1]\nshape = \"oval\"\nlight = 1\ntargets = \"a\"",
            "4:9: probes: the shape of \"x\": \"oval\" is not a shape; expected \"rectangle\" or \"ellipse\"",
            "5:9: probes: the light of \"x\": 1 is a whole number; expected true or false",
            "6:11: probes: the targets of \"x\": \"a\" is a string; expected a list of the names of targets"),
        BadConfig(
            "[[targets]]\nname = \"White\"\ncolor = \"white\"\n[[probes]]\nname = \"x\"\nregion = [0, 0, 1, 1]\ntargets = [\"Whte\"]",
            "7:11: probes: the targets of \"x\": there is no target named \"Whte\"; did you mean \"White\"?"),
        // A name of this length may be a token, and is hidden.
        BadConfig("[log]\n\(String(repeating: "a", count: 60)) = 1", "2:1: log.(hidden): unknown key. [log] has level"),
        BadConfig(
            "[log]\n\(String(repeating: "a", count: 61)) = 1", "2:1: log.\"(hidden)…\": unknown key. [log] has level"),
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
        BadConfig(
            "camera = { width = 0, \"height\" = 99999 }\r\nlog = { level = 3 }\r\n",
            "1:20: camera.width: 0 is out of range 1...16384", "1:34: camera.height: 99999 is out of range 1...16384",
            "2:17: log.level: 3 is a whole number; expected \"trace\", \"debug\", \"info\", \"notice\", \"warning\", "
                + "\"error\" or \"critical\""),
    ]

    private static func noValue(_ text: String) -> BadConfig {
        BadConfig(
            "x = \(text)",
            "1:5: not valid TOML: \(text) is not a value; expected a number, true, false or a string in quotes")
    }

    /// Texts that would make the parser end the process.
    private static let nameless =
        ["[$]", "[=]\n", "[.camera]", "[ # x\n]", "[\rx]", "[[,]]", "[\ncamera]", "[é]", "[", "[["]
        .map {
            BadConfig(
                "[log]\n" + $0,
                "2:1: not valid TOML: expected the name of a table between these brackets, such as [camera]")
        } + [
            BadConfig("x = [1, }", "1:9: not valid TOML: this \"}\" closes a list; expected \"]\""),
            noValue("1979-05-27 0"), noValue("1_979-05-27 7"), noValue("0:-"),
            BadConfig(
                "x = [\u{2028}]",
                "1:6: not valid TOML: \"\\u2028\" contains characters that are allowed only in strings and comments"),
            BadConfig(
                "[camera]\ndevice = \u{1F4F7}",
                "2:10: not valid TOML: \"\u{1F4F7}\" contains characters that are allowed only in strings and comments"),
            BadConfig(
                "level = info\n[$]\n", "1:9: not valid TOML: info is not a value; write strings in quotes"),
        ]

    @Test("a hundred problems are all listed; of any more, only the number is given")
    func hundred() {
        let keys = (0..<101).map { "key\($0) = 1\n" }
        #expect(lines(keys.dropLast().joined()).count == 100)
        #expect(lines(keys.joined()).last == "config.toml: and 1 more")
    }

    @Test("of the unknown keys in one table, the first are listed, and the number of the others is given")
    func unknownEntries() {
        let keys = (10..<40).map { "key\($0) = 1\n" }.joined()
        let lines = lines("[[targets]]\nname = \"x\"\ncolor = \"red\"\n\(keys)")
        #expect(lines.count == 21)
        #expect(lines.contains("config.toml:1:3: targets: and 10 more unknown keys"))
    }

    @Test("all mistakes in 64 targets are counted, of which a hundred are listed")
    func targets() {
        let table = "[[targets]]\ncolor = \"reddish\"\nhue = 0\n"
        let lines = lines(String(repeating: table, count: 64))
        #expect(lines.count == 101)
        #expect(lines.last == "config.toml: and 92 more")
    }

    @Test("the listed problems are the first in the file")
    func firstProblems() {
        // The keys are in descending order, so that neither chance nor the alphabet produces the file's order.
        let text = (0..<300).reversed().map { "key\($0) = \($0)\n" }.joined() + "[camera]\nfsp = 15\n"
        let places = lines(text).dropLast().map { $0.split(separator: ":")[1] }
        #expect(places == (1...100).map { "\($0)" })
    }
}
