import Pixels

/// Every key of `config.toml`.
///
/// To add a key, add it here and to ``Config``. Decoding, range checks, suggestions for typos, the shipped
/// `config.toml` and its manual page follow from that.
package enum ConfigSchema {
    /// The keys, in the order of the shipped file.
    static let keys: [ConfigKey] = [
        ConfigKey(
            "camera.device", \.camera.device, .device,
            "The camera. \"auto\" selects the camera that was chosen last, or else the first that delivers pictures,",
            "and shows a test pattern while there is none. `swatchcam cameras` prints names and stable ids."),
        ConfigKey(
            "camera.width", \.camera.width, .integer(Config.Camera.sides), unit: "pixels",
            "The requested width of the picture. The camera may choose another."),
        ConfigKey(
            "camera.height", \.camera.height, .integer(Config.Camera.sides), unit: "pixels",
            "The requested height of the picture. The camera may choose another."),
        ConfigKey(
            "camera.format", \.camera.format, .format,
            "The requested pixel format. \"auto\" selects the best one that the camera offers."),
        ConfigKey(
            "camera.fps", \.camera.fps, .number(1...240), unit: "frames per second",
            "The requested frame rate. The camera may choose another."),
        ConfigKey(
            "camera.colorimetry", \.camera.colorimetry,
            .choice(
                "a colorimetry",
                allowedValues:
                    "\"auto\"; \"full\" or \"limited\"; or one of bt601, bt709, bt2020 and smpte240m with a range: \"bt601-full\""
            ),
            "How the camera encodes colours. \"auto\" follows the driver, but many drivers declare the wrong range:",
            "if white reads 235 or black reads 16, select the other range."),
        ConfigKey(
            "camera.black_level", \.camera.sensor.blackLevel, ConfigCodec<Double>.number(0...60000).optional,
            unit: "16-bit code values", example: "4096",
            "The code value of black of a sensor that is read raw, as in libcamera's tuning files. What is known of the",
            "sensor counts if this line is missing. Other cameras ignore it, and camera.white_gains too."),
        ConfigKey(
            "camera.white_gains", \.camera.sensor.whiteGains, .gains,
            "What red, green and blue of a sensor that is read raw are multiplied by, so that a grey card is grey.",
            "\"This is white\" on the page shows the line for the present light."),
        ConfigKey(
            "camera.rotate", \.camera.rotate, .oneOf([0, 90, 180, 270]), unit: "degrees clockwise",
            "Rotates the picture, for a camera that is mounted sideways or upside down."),
        ConfigKey(
            "camera.mirror", \.camera.mirror, .flag,
            "Mirrors the picture left to right, after the rotation."),
        ConfigKey(
            "camera.controls", \.camera.controls, .controls, example: "exposure_time_absolute = 200",
            "Values that the camera's controls are set to when it is opened. Instead of this table, [camera] may have",
            "controls = { name = value }. \"Lock for measuring\" on the page shows the lines that keep the automatic",
            "controls off."),
        ConfigKey(
            "readings.rate", \.readings.rate, .number(0.1...60), unit: "per second", setting: "rate",
            "How often a reading is pushed to pages and scripts. A change by a client holds until this line is edited."),
        ConfigKey(
            "readings.region", \.readings.region, .region, setting: "region",
            "The part of the picture whose colour is read. A change on the page holds until this line is edited."),
        ConfigKey(
            "readings.average", \.readings.average, .choice("an average"),
            "What is averaged over the pixels: with \"srgb\" the code values, as in most programs; with \"linear\" the",
            "light that they represent, which is what the eye averages from a distance.",
            "See /usr/share/doc/swatchcam/averages.md."),
        ConfigKey(
            "readings.frames", \.readings.frames, .integer(1...60), unit: "frames",
            "The number of frames that a reading averages, to reduce noise and the flicker of lamps on mains power.",
            "If it is more than 1, every frame is read, which takes more CPU time."),
        ConfigKey(
            "readings.palette", \.readings.palette, .file, example: "\"brand.gpl\"",
            "A file with up to 4,096 named colours, of which readings name the nearest: a palette of GIMP (.gpl), Adobe",
            "Swatch Exchange (.ase) or Adobe Color (.aco), measurements by CGATS.17 or CxF3, or lines such as",
            "Brand blue,#1F4E9B. See /usr/share/doc/swatchcam/palettes.md."),
        ConfigKey(
            "readings.hold", \.readings.hold, .number(0...60), unit: "seconds",
            "How long the verdict on a target has to hold before it counts as that of a part. A part is over when there",
            "has been no verdict for as long. See /usr/share/doc/swatchcam/targets.md."),
        ConfigKey(
            "targets", \.targets, .targets,
            example: "name = \"Brand red\"\ncolor = \"#C8102E\"\ntolerance = 2", setting: "targets",
            "Colours that readings are compared with, each in a table of its own. The color is any opaque one of CSS",
            "Color 4, or a list of up to 8, of which any will do. The tolerance is a CIEDE2000 difference; lightness, chroma",
            "and hue may have tolerances of their own. Targets that a client sets hold until these tables are edited. See",
            "/usr/share/doc/swatchcam/targets.md."),
        ConfigKey(
            "probes", \.probes, .probes,
            example: "name = \"White\"\nregion = [0.05, 0.05, 0.05, 0.05]\nreference = true", setting: "probes",
            "Further parts of the picture that are measured, each in a table of its own. A reference is a white or grey",
            "patch that stays in view and shows how the light changes; one probe may be it. shape = \"ellipse\" measures",
            "the ellipse in the region, light = true says whether a lamp is on or blinks, and targets = [\"Brand red\"]",
            "names the targets, all if omitted. Probes that a client sets hold until these tables are edited. See",
            "/usr/share/doc/swatchcam/probes.md and lights.md."),
        ConfigKey(
            "scales", \.scales, .scales,
            example: "name = \"pH\"\npoints = [{ value = 6, color = \"#E8C34A\" }, { value = 7, color = \"#7FA650\" }, "
                + "{ value = 8, color = \"#3E7F8C\" }]",
            setting: "scales",
            "Rows of colours with values, such as that of a test strip, from which the value of a colour is read, each in a",
            "table of its own. A point has a color of CSS, or a probe whose colour is measured in the same picture, so that",
            "the lamp does not matter. probe is the one whose colour is read, the region if omitted; unit is that of the",
            "values. A colour farther than the tolerance (CIEDE2000) is not on the scale. Scales that a client sets hold",
            "until these tables are edited. See /usr/share/doc/swatchcam/scales.md."),
        ConfigKey(
            "picture.quality", \.picture.quality, .integer(1...100),
            "The JPEG quality of pictures that Swatchcam encodes. MJPG pictures of the camera are passed on unchanged."),
        ConfigKey(
            "picture.effect", \.picture.effect,
            .word(
                "an effect", among: Effects.all.map(\.name),
                allowedValues: Effects.all.map(\.name).joined(separator: ", ")),
            setting: "effect",
            "The effect of the processed picture. A change on the page holds until this line is edited. The reading",
            "always comes from the untouched picture."),
        ConfigKey(
            "kiosk.show", \.kiosk.show, .choice("a view"),
            "What the full-screen page /kiosk shows: only the \"color\", the live \"picture\" as well, the picture on",
            "the whole screen with the colour laid over it (\"overlay\"), the colour with its \"history\" of the last",
            "10 minutes, the \"verdict\" on the colour beside its target, or the colours of the whole \"fleet\" of an",
            "MQTT broker. /kiosk?show=picture overrides this for one screen."),
        ConfigKey(
            "history.folder", \.history.folder, .folder, example: "\"/var/lib/swatchcam/history\"",
            "A folder in which readings are recorded. Each day in UTC has a CSV file such as swatchcam-2026-11-23.csv,",
            "to which rows are added once a minute, and another one with the marks. At the next start, they are read",
            "back into the history. With a folder, readings are made even while nobody watches. The folder must exist;",
            "the systemd service may write to /var/lib/swatchcam/history.",
            "See /usr/share/doc/swatchcam/history.md."),
        ConfigKey(
            "history.retention_days", \.history.retentionDays, .integer(1...36_500), unit: "days",
            "The number of days whose files are kept. When a new day begins, the oldest are deleted."),
        ConfigKey(
            "history.max_size", \.history.maxSize, .integer(50...1_000_000), unit: "MB",
            "The largest total size of these files, of which marks have a tenth. If it is exceeded, the oldest are",
            "deleted. At an interval of 10 s, a day takes about 3 MB."),
        ConfigKey(
            "history.interval", \.history.interval, .integer(1...3600), unit: "seconds",
            "The time over which a row averages the readings."),
        ConfigKey(
            "web.address", \.web.address, .address, needsRestart: true,
            "The address that the dashboard listens on. By default only this machine can connect. An address that",
            "other machines can reach requires web.token."),
        ConfigKey(
            "web.port", \.web.port, .integer(1...65535), needsRestart: true,
            "The TCP port of the dashboard. Ports below 1024 require privileges."),
        ConfigKey(
            "web.allowed_hosts", \.web.allowedHosts, .hostNames, needsRestart: true,
            "Names of this machine that browsers may use besides localhost, its addresses and its own name, also with",
            ".local, such as [\"cam.example\"]. Others are refused, because another site's name could point here."),
        ConfigKey(
            "web.token", \.web.token, .token, example: "\"\"",
            // Until the restart, the address may be one that other machines can connect to.
            waitsForRestart: { running, edited in running.web.token != nil && edited.web.token == nil },
            "A secret that grants full access. Browsers ask for it once; scripts send it as Authorization: Bearer.",
            "`swatchcam token` prints a new one. Do not let other users read this file: `chmod o= config.toml`."),
        ConfigKey(
            "web.view_token", \.web.viewToken, .token, example: "\"\"",
            "Another secret, which grants read-only access."),
        ConfigKey(
            "web.local_view", \.web.localView, .flag, needsRestart: true,
            "Whether clients on this machine have read-only access without a token, for a kiosk without a keyboard. Do",
            "not set it on a machine with a reverse proxy that web.trusted_proxies does not name: all clients of the",
            "proxy would have access. If web.trusted_proxies names this machine, no client counts as local."),
        ConfigKey(
            "web.trusted_proxies", \.web.trustedProxies, .networks, needsRestart: true,
            "Reverse proxies that are trusted to name the client (X-Forwarded-For), and to say whether its connection is",
            "encrypted (X-Forwarded-Proto), such as [\"127.0.0.1\"] for one on this machine."),
        ConfigKey(
            "web.ingress", \.web.ingress, .networks, needsRestart: true,
            "Reverse proxies that have admitted the user themselves, such as [\"172.30.32.2\"], the Supervisor of Home",
            "Assistant. Their requests have full access without a token, by any name of the machine. Name no address that",
            "anyone else can send from."),
        ConfigKey(
            "web.frame_ancestors", \.web.frameAncestors, .origins, needsRestart: true,
            "Other sites that may embed the pages in a frame, such as [\"http://homeassistant.local:8123\"]."),
        ConfigKey(
            "web.title", \.web.title, .title, example: "\"Workshop\"", textWithoutDefault: "the name of the program",
            "The title of the pages, which tells several of them apart. The kiosk shows it above the colour."),
        ConfigKey(
            "web.templates", \.web.templates, .folder, example: "\"Templates\"",
            textWithoutDefault: "the built-in files", needsRestart: true,
            "A folder of Mustache templates that replaces the built-in pages.",
            "Edits to its files take effect within half a second.",
            "At most 2,000 files and folders, 5 MB for each file, 64 MB in total."),
        ConfigKey(
            "web.resources", \.web.resources, .folder, example: "\"Resources\"",
            textWithoutDefault: "the built-in files", needsRestart: true,
            "A folder of styles, scripts and images that replaces the built-in ones.",
            "Edits to its files take effect within half a second.",
            "At most 2,000 files and folders, 5 MB for each file, 64 MB in total."),
        ConfigKey(
            "mqtt.host", \.mqtt.host, .brokerHost, example: "\"localhost\"",
            "The name or address of an MQTT broker, to which the colour is sent. It requires libmosquitto1. See",
            "/usr/share/doc/swatchcam/mqtt.md for the topics and their content."),
        ConfigKey(
            "mqtt.port", \.mqtt.port, ConfigCodec<Int>.integer(1...65535).optional, example: "1883",
            textWithoutDefault: "1883, or 8883 with mqtt.tls",
            "The TCP port of the broker."),
        ConfigKey(
            "mqtt.tls", \.mqtt.tls, .flag,
            "Whether the connection is encrypted, by TLS 1.2 or later."),
        ConfigKey(
            "mqtt.ca_file", \.mqtt.caFile, .fileToCome, example: "\"/etc/swatchcam/ca.crt\"",
            textWithoutDefault: "the certificates of the system",
            "A file with the certificates (PEM) of those who may have signed that of the broker."),
        ConfigKey(
            "mqtt.certificate_file", \.mqtt.certificateFile, .fileToCome, example: "\"/etc/swatchcam/client.crt\"",
            "A file with a certificate (PEM), if the broker requires one of its clients."),
        ConfigKey(
            "mqtt.key_file", \.mqtt.keyFile, .fileToCome, example: "\"/etc/swatchcam/client.key\"",
            "The private key of that certificate (PEM), without a passphrase."),
        ConfigKey(
            "mqtt.insecure", \.mqtt.insecure, .flag,
            "Whether the broker's certificate may be for another name. It must be valid and signed in any case."),
        ConfigKey(
            "mqtt.user", \.mqtt.user, .user, example: "\"swatchcam\"",
            "The name with which Swatchcam identifies itself to the broker."),
        ConfigKey(
            "mqtt.password_file", \.mqtt.passwordFile, .fileToCome, example: "\"/etc/swatchcam/mqtt-password\"",
            "A file whose first line is the password. Do not let other users read it."),
        ConfigKey(
            "mqtt.topic", \.mqtt.topic, .topic,
            "The beginning of all topics."),
        ConfigKey(
            "mqtt.discovery", \.mqtt.discovery, .flag,
            "Whether Home Assistant adds this camera by itself."),
        ConfigKey(
            "mqtt.control", \.mqtt.control, .flag,
            "Whether clients of the broker may choose the camera, the effect and the rate, lock the controls and take",
            "samples. Everybody who may write to the broker's topics then has this access."),
        ConfigKey(
            "mqtt.interval", \.mqtt.interval, .integer(1...30), unit: "seconds",
            "How often the colour is sent if it changes only a little. One that does not change is sent every 30 s."),
        ConfigKey(
            "mqtt.change", \.mqtt.change, .number(0...100), unit: "ΔE00",
            "A colour that differs by more than this from the last one is sent at once, but at most one a second."),
        ConfigKey(
            "events.webhook", \.events.webhook, .webhook, example: "\"https://ntfy.example/boiler\"",
            "Where events are sent by POST: a state or a light that has changed, a camera that is lost or back, a picture",
            "that has moved. It requires libcurl4. See /usr/share/doc/swatchcam/events.md."),
        ConfigKey(
            "events.webhook_token_file", \.events.webhookTokenFile, .fileToCome,
            example: "\"/etc/swatchcam/webhook-token\"",
            "A file whose first line is a token, sent as `Authorization: Bearer`. Do not let other users read it."),
        ConfigKey(
            "events.pictures_max_size", \.events.picturesMaxSize, .integer(0...100_000), unit: "MB",
            "The size of the pictures of events that are kept, in the folder events of the state folder, for 31 days. With",
            "0, none is."),
        ConfigKey(
            "metrics.open", \.metrics.open, .flag,
            "Whether Prometheus may read /metrics without a token. Anybody who can connect then sees the colour and the",
            "name of the camera, but no picture. See /usr/share/doc/swatchcam/prometheus.md."),
        ConfigKey(
            "log.level", \.log.level, .choice("a log level"),
            "The lowest level that is logged to standard error."),
    ]

    /// The tables, in the order of the shipped file.
    static let tables: [[String]] = keys.reduce(into: []) { tables, key in
        let table = key.isList ? key.path : key.table
        if !tables.contains(table) { tables.append(table) }
    }

    static func key(at path: [String]) -> ConfigKey? { keysByPath[path] }

    private static let keysByPath = Dictionary(keys.map { ($0.path, $0) }) { first, _ in first }
}
