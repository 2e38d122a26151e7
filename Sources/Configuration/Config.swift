package import Logging
package import Pixels

/// Everything that `config.toml` can say, decoded and validated once.
///
/// `Config()` is what the shipped `config.toml` says; a test holds the two together.
package struct Config: Equatable, Sendable {
    package var camera = Camera()
    package var readings = Readings()
    package var picture = Picture()
    package var kiosk = Kiosk()
    package var web = Web()
    package var log = Log()

    package init() {}

    package struct Camera: Equatable, Sendable {
        /// Widths and heights of pictures, in pixels.
        package static let sides = 1...16384

        /// `auto`, `test-pattern`, a device node, a stable id, or part of a camera's name.
        package var device = "auto"
        /// Pixels, asked of the driver; it may grant another size.
        package var width = 640
        package var height = 480
        /// `auto` or a V4L2 fourcc.
        package var format = "auto"
        /// Frames per second, asked of the driver.
        package var fps = 15.0
        /// What the code values mean, whatever the driver declares.
        package var colorimetry = Colorimetry.auto
        /// How far the picture is turned before anybody sees it: 0, 90, 180 or 270 degrees clockwise.
        package var rotate = 0
        /// Whether the picture is mirrored, left to right, after it was turned.
        package var mirror = false
        /// What the camera's controls are set to when it is opened, by their names.
        package var controls: [String: ConfigValue] = [:]

        package init() {}

        /// A matrix and a range; or a range alone, which is all that RGB has.
        package enum Colorimetry: String, CaseIterable, Sendable {
            /// What the driver declares.
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
        /// Readings pushed per second.
        package var rate = 4.0
        /// The part of the picture that is read.
        package var region = Region.full
        /// What is averaged: code values, or light.
        package var average = Average.srgb
        /// Frames that a reading is the mean of.
        package var frames = 1
    }

    package struct Picture: Equatable, Sendable {
        /// JPEG quality of the pictures that are encoded here.
        package var quality = 80
        /// The name of an effect, at the start.
        package var effect = "none"
    }

    package struct Kiosk: Equatable, Sendable {
        /// What stands on the screen beside the colour.
        package var show = Show.color

        package enum Show: String, CaseIterable, Sendable {
            case color
            /// The live picture, too.
            case picture
        }
    }

    package struct Web: Equatable, Sendable {
        /// A literal IPv4 or IPv6 address.
        package var address = "127.0.0.1"
        package var port: UInt16 = 8080
        /// Names of this machine that a request's `Host` may have, besides localhost and addresses.
        package var allowedHosts: [String] = []
        /// What those show who may see and change everything; nil: nobody is asked.
        package var token: Token?
        /// What those show who may look only.
        package var viewToken: Token?
        /// Whether programs on this machine may see everything without a token.
        package var localView = false
        /// Reverse proxies that are believed about whom they speak for: addresses, or networks in CIDR notation.
        package var trustedProxies: [String] = []
        /// Sites that may show the pages in a frame of theirs.
        package var frameAncestors: [String] = []
        /// A folder that is served in place of the embedded `Templates/`; nil: the embedded ones.
        package var templates: String?
        /// A folder that is served in place of the embedded `Resources/`; nil: the embedded ones.
        package var resources: String?

        package init(
            address: String = "127.0.0.1",
            port: UInt16 = 8080,
            allowedHosts: [String] = [],
            token: Token? = nil,
            viewToken: Token? = nil,
            localView: Bool = false,
            trustedProxies: [String] = [],
            frameAncestors: [String] = [],
            templates: String? = nil,
            resources: String? = nil
        ) {
            self.address = address
            self.port = port
            self.allowedHosts = allowedHosts
            self.token = token
            self.viewToken = viewToken
            self.localView = localView
            self.trustedProxies = trustedProxies
            self.frameAncestors = frameAncestors
            self.templates = templates
            self.resources = resources
        }
    }

    package struct Log: Equatable, Sendable {
        package var level = Logger.Level.info
    }
}
