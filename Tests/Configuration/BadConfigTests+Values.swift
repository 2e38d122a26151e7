import Testing

@testable import Configuration

/// Texts with values that are refused.
extension BadConfigTests {
    static let outOfRange = [
        BadConfig("[camera]\nfps = 900\n", "2:7: camera.fps: 900 is out of range 1...240"),
        BadConfig("[camera]\nfps = 0.5", "2:7: camera.fps: 0.5 is out of range 1...240"),
        BadConfig("[camera]\nfps = nan", "2:7: camera.fps: nan is out of range 1...240"),
        BadConfig("[camera]\nfps = -inf", "2:7: camera.fps: -inf is out of range 1...240"),
        BadConfig("[camera]\nwidth = 0", "2:9: camera.width: 0 is out of range 1...16384"),
        BadConfig("camera.height = 16385", "1:17: camera.height: 16385 is out of range 1...16384"),
        BadConfig("[readings]\nrate = 0.05", "2:8: readings.rate: 0.05 is out of range 0.1...60"),
        BadConfig("[readings]\nrate = 61", "2:8: readings.rate: 61 is out of range 0.1...60"),
        BadConfig("[web]\nport = 70000", "2:8: web.port: 70000 is out of range 1...65535"),
        BadConfig("[web]\nport = 0x10000", "2:8: web.port: 65536 is out of range 1...65535"),
        BadConfig("[web]\nport = -1", "2:8: web.port: -1 is out of range 1...65535"),
        BadConfig("[web]\nport = 0", "2:8: web.port: 0 is out of range 1...65535"),
        BadConfig(
            "[web]\nport = 9223372036854775807", "2:8: web.port: 9223372036854775807 is out of range 1...65535"),
        BadConfig(
            "[readings]\nregion = [\n  0, # left\n  -0.1,\n  1, 1,\n]",
            "4:3: readings.region: y: -0.1 is out of range 0...1"),
        BadConfig(
            "[readings]\nregion = [0, 0, 0, 1]",
            "2:17: readings.region: width: 0 leaves nothing to read; more than 0 is wanted"),
        BadConfig(
            "[readings]\nregion = [0.5, 0, 0.75, 1]",
            "2:10: readings.region: x + width is 1.25, beyond the picture's right edge; at most 1 is wanted"),
        BadConfig(
            "[readings]\nregion = [0, 1, 1, 0.5]",
            "2:10: readings.region: y + height is 1.5, beyond the picture's lower edge; at most 1 is wanted"),
    ]

    private static let letters = String(repeating: "a", count: 32)

    static let exposed = [
        BadConfig(
            "[web]\naddress = '0.0.0.0'",
            "2:11: web.address: \"0.0.0.0\" lets others in, and that needs web.token; `swatchcam token` prints one"),
        BadConfig(
            "web.view_token = '\(letters)'",
            "1:18: web.view_token: it needs web.token beside it, for those who may change something"),
        BadConfig(
            "[web]\ntoken = '\(letters)'\nview_token = '\(letters)'",
            "3:14: web.view_token: it is the same as web.token; those who may only look need another one"),
        // The written token is not repeated.
        BadConfig(
            "web.token = 'hunter2'",
            "1:13: web.token: it has 7 letters; 32 to 256 are wanted; `swatchcam token` prints a good one"),
        BadConfig(
            "web.token = '\(letters) '",
            "1:13: web.token: only letters, digits and -._~+/= may be in it; `swatchcam token` prints a good one"),
        BadConfig("web.token = 7", "1:13: web.token: this is no string; `swatchcam token` prints a good one"),
    ]

    static let wrongTypes = [
        BadConfig(
            "[camera]\nwidth = \"640\"",
            "2:9: camera.width: \"640\" is a string; a whole number in 1...16384 is wanted"),
        BadConfig(
            "[camera]\nwidth = 640.0",
            "2:9: camera.width: 640.0 is a number with a point; a whole number in 1...16384 is wanted"),
        BadConfig("[camera]\nfps = true", "2:7: camera.fps: true is a boolean; a number in 1...240 is wanted"),
        BadConfig(
            "[camera]\ndevice = 0",
            "2:10: camera.device: 0 is a whole number; a string such as \"auto\" or \"/dev/video0\" is wanted"),
        BadConfig(
            "[camera]\ndevice = 1979-05-27T07:32:00Z",
            "2:10: camera.device: this is a date; a string such as \"auto\" or \"/dev/video0\" is wanted"),
        BadConfig(
            "[camera.width]\nx = 1",
            "1:9: camera.width: this is a table; a whole number in 1...16384 is wanted"),
        BadConfig("camera = \"x\"", "1:10: camera: \"x\" is a string; a table is wanted: [camera]"),
        BadConfig("[[web]]\nport = 80", "1:3: web: this is a list; a table is wanted: [web]"),
        BadConfig(
            "[readings]\nregion = [0, 0, 1]",
            "2:10: readings.region: this list has 3 elements; four are wanted, [x, y, width, height]"),
        BadConfig(
            "[readings]\nregion = [0, [0], \"1\", 1]",
            "2:14: readings.region: y: this is a list; a number in 0...1 is wanted"),
        BadConfig(
            "[readings]\nregion = 1",
            "2:10: readings.region: 1 is a whole number; a list of four numbers in 0...1, "
                + "[x, y, width, height], is wanted"),
        BadConfig(
            "[web]\ntemplates = [\"a\"]",
            "2:13: web.templates: this is a list; the path of a folder, as a string, is wanted"),
    ]

    static let badText = [
        BadConfig(
            "[camera]\ndevice = \" \"",
            "2:10: camera.device: \" \" names no camera; write \"auto\", \"test-pattern\", a device node, or what "
                + "`swatchcam cameras` prints"),
        BadConfig(
            "[camera]\ndevice = \"a\\nb\\u202E\"",
            "2:10: camera.device: \"a\\nb\\u202E\" has a control character in it; write \"auto\", \"test-pattern\", "
                + "a device node, or what `swatchcam cameras` prints"),
        BadConfig(
            "[camera]\ndevice = \"" + String(repeating: "é", count: 300) + "\"",
            "2:10: camera.device: \"" + String(repeating: "é", count: 60)
                + "…\" is 300 characters long; at most 255 are wanted"),
        BadConfig(
            "[camera]\ndevice = \"" + String(repeating: "e\u{301}", count: 128) + "\"",
            "2:10: camera.device: \"" + String(repeating: "e\u{301}", count: 30)
                + "…\" is 256 characters long; at most 255 are wanted"),
        BadConfig(
            "[camera]\nformat = \"TOOLONG\"",
            "2:10: camera.format: \"TOOLONG\" is no V4L2 fourcc: one to four printable ASCII characters are wanted, "
                + "with \"-BE\" after them for big-endian formats"),
        BadConfig("[camera]\nformat = \"AUTO\"", "2:10: camera.format: \"AUTO\" is no format; did you mean \"auto\"?"),
        BadConfig(
            "[web]\naddress = \"example.org\"",
            "2:11: web.address: \"example.org\" is no IPv4 or IPv6 address, such as \"127.0.0.1\" or \"::1\"; "
                + "host names are not looked up"),
        BadConfig(
            "[web]\naddress = \"127.0.0.1:80\"",
            "2:11: web.address: \"127.0.0.1:80\" is no IPv4 or IPv6 address; the port has a key of its own, web.port"),
        BadConfig(
            "[web]\naddress = \"[::1]\"",
            "2:11: web.address: \"[::1]\" is no IPv4 or IPv6 address; write it without the brackets"),
        BadConfig(
            "[web]\ntemplates = \"\"",
            "2:13: web.templates: the path is empty; write the path of a folder, "
                + "or leave the key out for the built-in files"),
        BadConfig(
            "[web]\nresources = \"~/pages\"",
            "2:13: web.resources: there is no folder \"~/pages\"; \"~\" means nothing here, write the whole path"),
        BadConfig("[web]\nresources = \"pages\"", "2:13: web.resources: there is no folder \"/nowhere/pages\""),
        BadConfig(
            "[web]\nresources = \"/dev/null\"",
            "2:13: web.resources: \"/dev/null\" is not a folder, or may not be entered by this user"),
        BadConfig("[log]\nlevel = \"INFO\"", "2:9: log.level: \"INFO\" is no log level; did you mean \"info\"?"),
        BadConfig("[log]\nlevel = \"warn\"", "2:9: log.level: \"warn\" is no log level; did you mean \"warning\"?"),
        BadConfig(
            "[log]\nlevel = \"loud\"",
            "2:9: log.level: \"loud\" is no log level; \"trace\", \"debug\", \"info\", \"notice\", \"warning\", "
                + "\"error\" or \"critical\" is wanted"),
    ]
}
