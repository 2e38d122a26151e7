package import Logging
package import Pixels
import Untrusted

/// The settings of `config.toml`, decoded and validated, with a type for each table.
///
/// `Config()` equals the shipped `config.toml`; a test compares the two.
package struct Config: Equatable, Sendable {
    package var camera = Camera()
    package var readings = Readings()
    /// The tables `[[targets]]`.
    package var targets: [Target] = []
    /// The tables `[[probes]]`.
    package var probes: [Probe] = []
    /// The tables `[[scales]]`.
    package var scales: [Scale] = []
    package var picture = Picture()
    package var kiosk = Kiosk()
    package var history = History()
    package var web = Web()
    package var mqtt = MQTT()
    package var events = Events()
    package var metrics = Metrics()
    package var log = Log()

    package init() {}

    package struct Camera: Equatable, Sendable {
        /// Widths and heights of pictures, in pixels.
        package static let sides = 1...16384

        /// `auto`, `test-pattern`, a device node, a stable id, or part of a camera's name.
        package var device = "auto"
        /// The requested width, in pixels. The driver may choose another size.
        package var width = 640
        /// The requested height, in pixels.
        package var height = 480
        /// `auto` or a V4L2 fourcc.
        package var format = "auto"
        /// The requested frame rate, in frames per second. The driver may choose another.
        package var fps = 15.0
        /// The interpretation of code values.
        package var colorimetry = Colorimetry.auto
        /// The meaning of code values that are proportional to light.
        package var sensor = Sensor()
        /// The clockwise rotation of the picture: 0, 90, 180 or 270 degrees.
        package var rotate = 0
        /// Whether the picture is mirrored left to right, after the rotation.
        package var mirror = false
        /// The values that the camera's controls are set to when it is opened, by name.
        package var controls: [String: ConfigValue] = [:]

        /// The keys that concern raw pictures of a sensor.
        package struct Sensor: Equatable, Sendable {
            /// The code value of black on the scale of 16 bits; nil to use what is known of the sensor.
            package var blackLevel: Double?
            /// What red, green and blue are multiplied by, so that a grey card is grey.
            package var whiteGains = [1.0, 1, 1]
        }

        /// A matrix and a range, or only a range, which is all that RGB formats need.
        package enum Colorimetry: String, CaseIterable, Sendable {
            /// As the driver declares.
            case auto
            case full, limited
            case bt601Full = "bt601-full"
            case bt601Limited = "bt601-limited"
            case bt709Full = "bt709-full"
            case bt709Limited = "bt709-limited"
            case bt2020Full = "bt2020-full"
            case bt2020Limited = "bt2020-limited"
            case smpte240MFull = "smpte240m-full"
            case smpte240MLimited = "smpte240m-limited"
        }
    }

    package struct Readings: Equatable, Sendable {
        /// The number of readings pushed per second.
        package var rate = 4.0
        /// The part of the picture that is read.
        package var region = Region.full
        /// The quantity that is averaged: code values or light.
        package var average = Average.srgb
        /// The number of frames that a reading averages.
        package var frames = 1
        /// The file with the colours of which readings name the nearest; nil for none.
        package var palette: String?
        /// The time for which a verdict on a target has to hold before it counts, in seconds.
        package var hold = 1.0
    }

    package struct Picture: Equatable, Sendable {
        /// The JPEG quality of the pictures that Swatchcam encodes.
        package var quality = 80
        /// The name of the effect at start-up.
        package var effect = "none"
    }

    package struct Kiosk: Equatable, Sendable {
        /// The content of the screen.
        package var show = Show.color

        /// What the full-screen page shows.
        package enum Show: String, CaseIterable, Sendable {
            case color
            /// The colour and the live picture.
            case picture
            /// The live picture on the whole screen, and the colour on top of it.
            case overlay
            /// The colour and its history of the last ten minutes.
            case history
            /// The colours of all instances that use the same broker.
            case fleet
            /// The verdict on the colour, beside its target.
            case verdict
        }
    }

    package struct History: Equatable, Sendable {
        /// The folder with a table for each day; nil if nothing is written.
        package var folder: String?
        /// The number of days whose tables are kept.
        package var retentionDays = 31
        /// The maximum size of all tables together, in MB.
        package var maxSize = 1000
        /// The time that a row averages, in seconds.
        package var interval = 10
    }

    package struct Web: Equatable, Sendable {
        /// A literal IPv4 or IPv6 address.
        package var address = "127.0.0.1"
        /// The TCP port; 0, which only the command line can set, stands for any free port.
        package var port: UInt16 = 8080
        /// The names of this machine that a request's `Host` may contain, besides localhost and addresses.
        package var allowedHosts: [String] = []
        /// The token for full access; nil if no token is required.
        package var token: Token?
        /// The token for read-only access.
        package var viewToken: Token?
        /// Whether clients on this machine have read-only access without a token.
        package var localView = false
        /// The reverse proxies whose forwarding headers are trusted: addresses, or networks in CIDR notation.
        package var trustedProxies: [String] = []
        /// The proxies that have admitted the user themselves, whose requests need no token: addresses or networks.
        package var ingress: [String] = []
        /// The origins of sites that may embed the pages in a frame.
        package var frameAncestors: [String] = []
        /// The title of the pages; nil for the program's name.
        package var title: String?
        /// The folder that replaces the embedded `Templates/`, if any.
        package var templates: String?
        /// The folder that replaces the embedded `Resources/`, if any.
        package var resources: String?
    }

    package struct MQTT: Equatable, Sendable {
        /// The name or address of the broker; nil if there is none.
        package var host: String?
        /// The TCP port; nil for that of the protocol.
        package var port: Int?
        /// Whether the connection is encrypted.
        package var tls = false
        /// The file with the certificates that may have signed that of the broker; nil for those of the system.
        package var caFile: String?
        /// The file with the certificate by which Swatchcam identifies itself.
        package var certificateFile: String?
        /// The file with the private key of that certificate.
        package var keyFile: String?
        /// Whether the broker's certificate may be for another name.
        package var insecure = false
        package var user: String?
        package var passwordFile: String?
        /// The first levels of all topics.
        package var topic = "swatchcam"
        /// Whether Home Assistant learns of this camera by itself.
        package var discovery = true
        /// Whether commands are accepted.
        package var control = false
        /// The time between two messages while the colour hardly changes, in seconds.
        package var interval = 10
        /// The difference ΔE00 to the last message above which the next one is sent at once.
        package var change = 2.0

        /// The port to connect to: by default 8883 with TLS and 1883 without.
        package var effectivePort: Int { port ?? (tls ? 8883 : 1883) }
    }

    package struct Events: Equatable, Sendable {
        /// The address that events are sent to; nil if there is none.
        package var webhook: WebhookAddress?
        /// The file with the token that is sent along.
        package var webhookTokenFile: String?
        /// The maximum size of the pictures of events, in MB; 0 to keep none.
        package var picturesMaxSize = 200
    }

    package struct Metrics: Equatable, Sendable {
        /// Whether `/metrics` requires no token.
        package var open = false
    }

    package struct Log: Equatable, Sendable {
        /// The lowest level that is logged.
        package var level = Logger.Level.info
    }
}

extension Config.Web {
    /// The key that makes access impossible or unsafe, and why; nil if there is none.
    var accessProblem: (key: [String], message: String)? {
        if viewToken != nil, token == nil {
            return (["web", "view_token"], "a view token requires web.token, too; `swatchcam token` prints one")
        }
        if let token, token == viewToken {
            return (["web", "view_token"], "this is the same as web.token; set another token for read-only access")
        }
        guard token == nil, IPAddress(address)?.isLoopback == false else { return nil }
        return (
            ["web", "address"],
            "\(address.quoted()) lets other machines connect, which requires web.token; `swatchcam token` prints one"
        )
    }
}

extension Config.Events {
    /// The key that would be ignored, and why; nil if there is none.
    var problem: (key: [String], message: String)? {
        guard webhookTokenFile != nil, webhook == nil else { return nil }
        return (["events", "webhook_token_file"], "a token requires events.webhook, too")
    }
}

extension Config.MQTT {
    /// The key that would be ignored or could not work, and why; nil if there is none.
    ///
    /// A user who names a CA expects an encrypted connection, so the password must not be sent without `tls`.
    var problem: (key: [String], message: String)? {
        let encrypting = [
            ("ca_file", caFile != nil), ("certificate_file", certificateFile != nil), ("insecure", insecure),
        ]
        if !tls, let (name, _) = encrypting.first(where: \.1) {
            return (["mqtt", name], "this has no effect without encryption; set mqtt.tls = true")
        }
        if (certificateFile == nil) != (keyFile == nil) {
            let (given, missing) = keyFile == nil ? ("certificate_file", "key_file") : ("key_file", "certificate_file")
            return (["mqtt", given], "this requires mqtt.\(missing), too")
        }
        guard passwordFile != nil, user == nil else { return nil }
        return (["mqtt", "password_file"], "a password requires mqtt.user, too")
    }
}

extension Config.Camera {
    package var orientation: Orientation {
        Orientation(rotation: Orientation.Rotation(rawValue: rotate) ?? .degrees0, isMirrored: mirror)
    }
}
