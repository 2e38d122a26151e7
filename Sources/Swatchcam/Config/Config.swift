import Logging
import Pixels

/// Everything that `config.toml` can say, decoded and validated once.
///
/// `Config()` is what the shipped `config.toml` says; a test holds the two together.
struct Config: Equatable, Sendable {
    var camera = Camera()
    var readings = Readings()
    var picture = Picture()
    var kiosk = Kiosk()
    var web = Web()
    var log = Log()

    struct Camera: Equatable, Sendable {
        /// Widths and heights of pictures, in pixels.
        static let sides = 1...16384

        /// `auto`, `test-pattern`, a device node, a stable id, or part of a camera's name.
        var device = "auto"
        /// Pixels, asked of the driver; it may grant another size.
        var width = 640
        var height = 480
        /// `auto` or a V4L2 fourcc.
        var format = "auto"
        /// Frames per second, asked of the driver.
        var fps = 15.0
        /// What the code values mean, whatever the driver declares.
        var colorimetry = Colorimetry.auto
        /// How far the picture is turned before anybody sees it: 0, 90, 180 or 270 degrees clockwise.
        var rotate = 0
        /// Whether the picture is mirrored, left to right, after it was turned.
        var mirror = false
        /// How far MJPG is decoded.
        var decode = Decode.auto
        /// What the camera's controls are set to when it is opened, by their names.
        var controls: [String: ConfigValue] = [:]

        /// How far MJPG is decoded.
        enum Decode: String, CaseIterable, Sendable {
            /// As far as the mean needs: at an eighth of the size where that was seen to give the same.
            case auto
            /// Every pixel.
            case full
        }

        /// A matrix and a range; or a range alone, which is all that RGB has.
        enum Colorimetry: String, CaseIterable, Sendable {
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

    struct Readings: Equatable, Sendable {
        /// Readings pushed per second.
        var rate = 4.0
        /// The part of the picture that is read.
        var region = Region.full
        /// What is averaged: code values, or light.
        var average = Average.srgb
        /// Frames that a reading is the mean of.
        var frames = 1
    }

    struct Picture: Equatable, Sendable {
        /// JPEG quality of the pictures that are encoded here.
        var quality = 80
        /// The name of an effect, at the start.
        var effect = "none"
    }

    struct Kiosk: Equatable, Sendable {
        /// What stands on the screen beside the colour.
        var show = Show.color

        enum Show: String, CaseIterable, Sendable {
            case color
            /// The live picture, too.
            case picture
        }
    }

    struct Web: Equatable, Sendable {
        /// A literal IPv4 or IPv6 address.
        var address = "127.0.0.1"
        var port: UInt16 = 8080
        /// Names of this machine that a request's `Host` may have, besides localhost and addresses.
        var hosts: [String] = []
        /// What those show who may see and change everything; nil: nobody is asked.
        var token: Token?
        /// What those show who may look only.
        var viewToken: Token?
        /// Whether programs on this machine may see everything without a token.
        var localView = false
        /// Reverse proxies that are believed about whom they speak for: addresses, or networks in CIDR notation.
        var trustedProxies: [String] = []
        /// Sites that may show the pages in a frame of theirs.
        var embedders: [String] = []
        /// A folder that is served in place of the embedded `Templates/`; nil: the embedded ones.
        var templates: String?
        /// A folder that is served in place of the embedded `Resources/`; nil: the embedded ones.
        var resources: String?
    }

    struct Log: Equatable, Sendable {
        var level = Logger.Level.info
    }
}
