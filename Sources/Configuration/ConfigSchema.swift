import Pixels

/// Every key of `config.toml`.
///
/// A key is added here and to ``Config``, and nowhere else: decoding, range checks, suggestions for typos and the
/// shipped `config.toml` follow.
package enum ConfigSchema {
    /// In the order of the shipped file.
    static let keys: [ConfigKey] = [
        ConfigKey(
            "camera.device", \.camera.device, .device,
            "Which camera. \"auto\" takes the first one, and shows a test pattern while there is none.",
            "`swatchcam cameras` prints the names and stable ids."),
        ConfigKey(
            "camera.width", \.camera.width, .integer(Config.Camera.sides), unit: "pixels",
            "Width of the picture asked of the camera, which may grant another."),
        ConfigKey(
            "camera.height", \.camera.height, .integer(Config.Camera.sides), unit: "pixels",
            "Height of the picture asked of the camera, which may grant another."),
        ConfigKey(
            "camera.format", \.camera.format, .format,
            "Pixel format asked of the camera. \"auto\" takes the best one that it offers."),
        ConfigKey(
            "camera.fps", \.camera.fps, .number(1...240), unit: "frames per second",
            "Rate asked of the camera, which may grant another."),
        ConfigKey(
            "camera.colorimetry", \.camera.colorimetry,
            .choice(
                "colorimetry",
                range:
                    "\"auto\", \"full\", \"limited\", or with bt601, bt709, bt2020, smpte240m: \"bt601-full\" and so on"
            ),
            "What the camera's numbers mean. \"auto\" believes the driver; many drivers are wrong about the range:",
            "if white reads 235 or black reads 16, name the other one."),
        ConfigKey(
            "camera.rotate", \.camera.rotate, .oneOf([0, 90, 180, 270]), unit: "degrees clockwise",
            "Turns the picture, for a camera that hangs on its side or on its head."),
        ConfigKey(
            "camera.mirror", \.camera.mirror, .flag,
            "Mirrors the picture, left to right, after it was turned."),
        ConfigKey(
            "camera.controls", \.camera.controls, .controls, example: "exposure_time_absolute = 200",
            "What the camera's controls are set to when it is opened: a table of its own, or { name = value } here.",
            "\"Lock for measuring\" on the page gives the lines that hold a camera's automatics still."),
        ConfigKey(
            "readings.rate", \.readings.rate, .number(0.1...60), unit: "per second",
            "How often a reading is pushed to pages and scripts."),
        ConfigKey(
            "readings.region", \.readings.region, .region,
            "The part of the picture whose colour is read."),
        ConfigKey(
            "readings.average", \.readings.average, .choice("average"),
            "What is averaged over the pixels: \"srgb\" the values of the picture, as most programs do;",
            "\"linear\" the light that they stand for, as the eye does from afar. See docs/averages.md."),
        ConfigKey(
            "readings.frames", \.readings.frames, .integer(1...60), unit: "frames",
            "A reading is the mean of so many frames: against noise, and lamps that flicker with the mains.",
            "More than 1 costs the reading of every frame."),
        ConfigKey(
            "picture.quality", \.picture.quality, .integer(1...100),
            "JPEG quality of the pictures that are encoded here. A camera's own MJPG goes on as it is."),
        ConfigKey(
            "picture.effect", \.picture.effect,
            .word(
                "effect", among: Effects.all.map(\.name),
                range: Effects.all.map(\.name).joined(separator: ", ")),
            "What is done to the processed picture at the start; the page changes it. The reading is always of the",
            "untouched picture."),
        ConfigKey(
            "kiosk.show", \.kiosk.show, .choice("view"),
            "What /kiosk, the page for a screen of its own, has on it: the \"color\" alone, or the live \"picture\" too.",
            "An address such as /kiosk?show=picture says it for one screen."),
        ConfigKey(
            "web.address", \.web.address, .address, needsRestart: true,
            "Where the dashboard listens. The default is this machine only; any other address needs web.token."),
        ConfigKey(
            "web.port", \.web.port, .integer(1...65535), needsRestart: true,
            "TCP port of the dashboard. Below 1024 wants privileges."),
        ConfigKey(
            "web.allowed_hosts", \.web.allowedHosts, .hostNames, needsRestart: true,
            "Names of this machine that browsers may use besides localhost and its addresses, such as",
            "[\"raspberrypi.local\"]. Any other name is refused: another site's could point here."),
        ConfigKey(
            "web.token", \.web.token, .token, example: "\"\"",
            // Until then the address may be one that lets others in.
            waitsForRestart: { running, edited in running.web.token != nil && edited.web.token == nil },
            "A secret that browsers and scripts show before they see or change anything: once on a login page, or",
            "as Authorization: Bearer. `swatchcam token` prints a new one. Take this file from other users then:",
            "`chmod o= config.toml`."),
        ConfigKey(
            "web.view_token", \.web.viewToken, .token, example: "\"\"",
            "Another secret, for those who may see everything and change nothing."),
        ConfigKey(
            "web.local_view", \.web.localView, .flag, needsRestart: true,
            "Whether browsers and scripts on this machine see everything without a token: for a kiosk, which has no",
            "keyboard to log in. To change something they need the token. Not for a machine with a reverse proxy that",
            "web.trusted_proxies does not name: all its visitors would come from this machine. Where that names this",
            "machine itself, nobody is local."),
        ConfigKey(
            "web.trusted_proxies", \.web.trustedProxies, .networks, needsRestart: true,
            "Reverse proxies that are believed when they say for whom they speak (X-Forwarded-For) and that the",
            "connection to them is secure (X-Forwarded-Proto), such as [\"127.0.0.1\"] for one on this machine."),
        ConfigKey(
            "web.frame_ancestors", \.web.frameAncestors, .origins, needsRestart: true,
            "Sites that may show the pages in a frame of theirs, such as [\"http://homeassistant.local:8123\"]."),
        ConfigKey(
            "web.templates", \.web.templates, .folder, example: "\"Templates\"", needsRestart: true,
            "A folder of Mustache templates that replaces the built-in pages.",
            "Edits of its files show within half a second. At most 2,000 files of 5 MB each, 64 MB together."),
        ConfigKey(
            "web.resources", \.web.resources, .folder, example: "\"Resources\"", needsRestart: true,
            "A folder of styles, scripts and images that replaces the built-in ones.",
            "Edits of its files show within half a second. At most 2,000 files of 5 MB each, 64 MB together."),
        ConfigKey(
            "log.level", \.log.level, .choice("log level"),
            "How much is told on standard error, from most to least."),
    ]

    /// The tables that have keys, in the order of the shipped file.
    static let tables: [[String]] = keys.reduce(into: []) { tables, key in
        if !tables.contains(key.table) { tables.append(key.table) }
    }

    /// The key with a path.
    static func key(at path: [String]) -> ConfigKey? { keysByPath[path] }

    private static let keysByPath = Dictionary(keys.map { ($0.path, $0) }) { first, _ in first }
}
