import Logging
import Pixels

/// Everything that `config.toml` can say, decoded and validated once.
///
/// `Config()` is what the shipped `config.toml` says; a test holds the two together.
struct Config: Equatable, Sendable {
    var camera = Camera()
    var readings = Readings()
    var web = Web()
    var log = Log()

    struct Camera: Equatable, Sendable {
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

    struct Web: Equatable, Sendable {
        /// A literal IPv4 or IPv6 address.
        var address = "127.0.0.1"
        var port: UInt16 = 8080
        /// A folder that is served in place of the embedded `Templates/`; nil: the embedded ones.
        var templates: String?
        /// A folder that is served in place of the embedded `Resources/`; nil: the embedded ones.
        var resources: String?
    }

    struct Log: Equatable, Sendable {
        var level = Logger.Level.info
    }
}
