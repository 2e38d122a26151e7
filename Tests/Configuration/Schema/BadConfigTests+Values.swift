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
            "2:17: readings.region: width: 0 leaves nothing to read; expected more than 0"),
        BadConfig(
            "[readings]\nregion = [0.5, 0, 0.75, 1]",
            "2:10: readings.region: x + width is 1.25, beyond the picture's right edge; expected at most 1"),
        BadConfig(
            "[readings]\nregion = [0, 1, 1, 0.5]",
            "2:10: readings.region: y + height is 1.5, beyond the picture's lower edge; expected at most 1"),
    ]

    static let brokers = [
        BadConfig(
            "mqtt.host = 'mqtt://broker'",
            "1:13: mqtt.host: \"mqtt://broker\" is a URL; write only the name, and set mqtt.tls for an encrypted connection"
        ),
        BadConfig(
            "mqtt.host = 'broker:1883'", "1:13: mqtt.host: \"broker:1883\" is not a name; the port belongs in mqtt.port"
        ),
        BadConfig(
            "mqtt.host = '[::1]'", "1:13: mqtt.host: \"[::1]\" is not a name; write the address without the brackets"),
        BadConfig("mqtt.host = '-x'", "1:13: mqtt.host: \"-x\" is not the name or address of a machine"),
        BadConfig("mqtt.host = 'a..b'", "1:13: mqtt.host: \"a..b\" is not the name or address of a machine"),
        BadConfig("mqtt.port = 0", "1:13: mqtt.port: 0 is out of range 1...65535"),
        BadConfig("mqtt.interval = 31", "1:17: mqtt.interval: 31 is out of range 1...30"),
        BadConfig("mqtt.change = -1", "1:15: mqtt.change: -1 is out of range 0...100"),
        BadConfig("mqtt.user = ''", "1:13: mqtt.user: the name is empty; write one, or omit the key"),
        BadConfig(
            "mqtt.topic = 'a/#'",
            "1:14: mqtt.topic: \"a/#\" is not such a topic; expected letters, digits, - and _, with / between levels"),
        BadConfig(
            "mqtt.topic = '/a'",
            "1:14: mqtt.topic: \"/a\" is not such a topic; expected letters, digits, - and _, with / between levels"),
        // A password must not be sent in the clear because a line is missing.
        BadConfig(
            "mqtt.ca_file = '/etc/hostname'",
            "1:16: mqtt.ca_file: this has no effect without encryption; set mqtt.tls = true"),
        BadConfig(
            "[mqtt]\ntls = true\nkey_file = '/etc/hostname'",
            "3:12: mqtt.key_file: this requires mqtt.certificate_file, too"),
        BadConfig(
            "mqtt.password_file = '/etc/hostname'",
            "1:22: mqtt.password_file: a password requires mqtt.user, too"),
        BadConfig("mqtt.password_file = '/etc'", "1:22: mqtt.password_file: \"/etc\" is a folder"),
    ]

    private static let letters = String(repeating: "a", count: 32)

    static let exposed = [
        BadConfig(
            "[web]\naddress = '0.0.0.0'",
            "2:11: web.address: \"0.0.0.0\" lets other machines connect, which requires web.token; `swatchcam token` prints one"
        ),
        BadConfig(
            "web.view_token = '\(letters)'",
            "1:18: web.view_token: a view token requires web.token, too; `swatchcam token` prints one"),
        BadConfig(
            "[web]\ntoken = '\(letters)'\nview_token = '\(letters)'",
            "3:14: web.view_token: this is the same as web.token; set another token for read-only access"),
        // The message does not repeat the value.
        BadConfig(
            "web.token = 'hunter2'",
            "1:13: web.token: it has 7 characters; expected 32 to 256; `swatchcam token` prints one"),
        BadConfig(
            "web.token = '\(letters) '",
            "1:13: web.token: it may contain only letters, digits and -._~+/=; `swatchcam token` prints one"),
        BadConfig("web.token = 7", "1:13: web.token: this is not a string; `swatchcam token` prints one"),
    ]

    static let wrongTypes = [
        BadConfig(
            "[camera]\nwidth = \"640\"",
            "2:9: camera.width: \"640\" is a string; expected a whole number in 1...16384"),
        BadConfig(
            "[camera]\nwidth = 640.0",
            "2:9: camera.width: 640.0 is a decimal number; expected a whole number in 1...16384"),
        BadConfig("[camera]\nfps = true", "2:7: camera.fps: true is a boolean; expected a number in 1...240"),
        BadConfig(
            "[camera]\ndevice = 0",
            "2:10: camera.device: 0 is a whole number; expected a string such as \"auto\" or \"/dev/video0\""),
        BadConfig(
            "[camera]\ndevice = 1979-05-27T07:32:00Z",
            "2:10: camera.device: this is a date; expected a string such as \"auto\" or \"/dev/video0\""),
        BadConfig(
            "[camera.width]\nx = 1",
            "1:9: camera.width: this is a table; expected a whole number in 1...16384"),
        BadConfig("camera = \"x\"", "1:10: camera: \"x\" is a string; expected a table: [camera]"),
        BadConfig("[[web]]\nport = 80", "1:3: web: this is a list; expected a table: [web]"),
        BadConfig(
            "[readings]\nregion = [0, 0, 1]",
            "2:10: readings.region: this list has 3 elements; expected four, [x, y, width, height]"),
        BadConfig(
            "[readings]\nregion = [0, [0], \"1\", 1]",
            "2:14: readings.region: y: this is a list; expected a number in 0...1"),
        BadConfig(
            "[readings]\nregion = 1",
            "2:10: readings.region: 1 is a whole number; expected a list of four numbers in 0...1, "
                + "[x, y, width, height]"),
        BadConfig(
            "[web]\ntemplates = [\"a\"]",
            "2:13: web.templates: this is a list; expected the path of a folder, as a string"),
    ]

    static let badText = [
        BadConfig(
            "[camera]\ndevice = \" \"",
            "2:10: camera.device: \" \" does not name a camera; write \"auto\", \"test-pattern\", a device node, or what "
                + "`swatchcam cameras` prints"),
        BadConfig(
            "[camera]\ndevice = \"a\\nb\\u202E\"",
            "2:10: camera.device: \"a\\nb\\u202E\" contains a control character; write \"auto\", \"test-pattern\", "
                + "a device node, or what `swatchcam cameras` prints"),
        BadConfig(
            "[camera]\ndevice = \"" + String(repeating: "é", count: 300) + "\"",
            "2:10: camera.device: \"" + String(repeating: "é", count: 60)
                + "…\" is 300 characters long; expected at most 255"),
        BadConfig(
            "[camera]\ndevice = \"" + String(repeating: "e\u{301}", count: 128) + "\"",
            "2:10: camera.device: \"" + String(repeating: "e\u{301}", count: 30)
                + "…\" is 256 characters long; expected at most 255"),
        BadConfig(
            "[camera]\nformat = \"TOOLONG\"",
            "2:10: camera.format: \"TOOLONG\" is not a V4L2 fourcc; expected one to four printable ASCII characters, "
                + "followed by \"-BE\" for a big-endian format"),
        BadConfig(
            "[camera]\nformat = \"AUTO\"", "2:10: camera.format: \"AUTO\" is not a format; did you mean \"auto\"?"),
        BadConfig(
            "[web]\naddress = \"example.org\"",
            "2:11: web.address: \"example.org\" is not an IPv4 or IPv6 address; expected one such as \"127.0.0.1\" or "
                + "\"::1\", because host names are not looked up"),
        BadConfig(
            "[web]\naddress = \"127.0.0.1:80\"",
            "2:11: web.address: \"127.0.0.1:80\" is not an IPv4 or IPv6 address; the port belongs in web.port"),
        BadConfig(
            "[web]\naddress = \"[::1]\"",
            "2:11: web.address: \"[::1]\" is not an IPv4 or IPv6 address; write it without the brackets"),
        BadConfig(
            "[readings]\npalette = \"brand.gpl\"", "2:11: readings.palette: there is no file \"/nowhere/brand.gpl\""),
        BadConfig("[readings]\npalette = \"/dev\"", "2:11: readings.palette: \"/dev\" is a folder"),
        BadConfig(
            "[readings]\npalette = \"\"",
            "2:11: readings.palette: the path is empty; write the path of a file, or omit the key"),
        BadConfig("[web]\ntitle = \" \"", "2:9: web.title: the title is empty; write one, or omit the key"),
        BadConfig(
            "[web]\ntitle = \"a\\u202Eb\"",
            "2:9: web.title: \"a\\u202Eb\" contains a character that cannot be shown on one line"),
        BadConfig(
            "[web]\ntemplates = \"\"",
            "2:13: web.templates: the path is empty; write the path of a folder, or omit the key"),
        BadConfig(
            "[web]\nresources = \"~/pages\"",
            "2:13: web.resources: there is no folder \"~/pages\"; \"~\" is not expanded here, so write the full path"),
        BadConfig("[web]\nresources = \"pages\"", "2:13: web.resources: there is no folder \"/nowhere/pages\""),
        BadConfig(
            "[web]\nresources = \"/dev/null\"",
            "2:13: web.resources: \"/dev/null\" is not a folder, or this user may not enter it"),
        BadConfig("[log]\nlevel = \"INFO\"", "2:9: log.level: \"INFO\" is not a log level; did you mean \"info\"?"),
        BadConfig("[log]\nlevel = \"warn\"", "2:9: log.level: \"warn\" is not a log level; did you mean \"warning\"?"),
        BadConfig(
            "[log]\nlevel = \"loud\"",
            "2:9: log.level: \"loud\" is not a log level; expected \"trace\", \"debug\", \"info\", \"notice\", \"warning\", "
                + "\"error\" or \"critical\""),
    ]
}
