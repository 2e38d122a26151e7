import Foundation
import Handoff
import Pixels

/// What everyone gets, `readings.rate` times a second: the colour of the region, or why there is none.
///
/// Its JSON is the contract of `GET /api/reading`, `/ws` and `swatchcam read --json`. Every key is always there;
/// a value that does not apply is null.
struct Reading: Equatable, Sendable {
    /// Where the colour comes from, or why there is none.
    enum State: String, Encodable, CaseIterable, Sendable {
        /// From a camera.
        case live
        /// From the built-in test pattern.
        case testPattern = "test-pattern"
        /// The camera is being opened, its first frame has not come yet.
        case starting
        /// No such camera.
        case noCamera = "no-camera"
        /// The device may not be opened by this user.
        case denied
        /// Another program has the camera.
        case busy
        /// The camera is there, and nothing is plugged into it.
        case noSignal = "no-signal"
        /// The camera was there, and went away or fell silent.
        case lost
        /// The camera offers no pixel format that Swatchcam reads.
        case unsupported
        /// Anything else; the message says what.
        case failed

        /// Whether a reading in this state has a colour.
        var hasColor: Bool { self == .live || self == .testPattern }
    }

    /// Three channels of R'G'B' (sRGB as it is encoded), 0...255.
    struct Channels<Value: Encodable & Equatable & Sendable>: Encodable, Equatable, Sendable {
        var r: Value
        var g: Value
        var b: Value
    }

    /// The frame that was read.
    struct Frame: Equatable, Sendable {
        /// The driver's frame counter.
        var sequence: UInt32
        var width: Int
        var height: Int
        /// V4L2 fourcc, trailing spaces removed.
        var format: String
        /// What was assumed of its code values, for people; null where nothing is.
        var colorimetry: String?
        /// From the driver's timestamp to the moment at which the reading was published, in milliseconds.
        var ageMs: Double
    }

    /// The camera in use, or the one that is waited for.
    struct Camera: Equatable, Sendable {
        /// Stable across reboots and renumbering.
        var id: String
        var name: String
        /// The device node; null while there is none.
        var device: String?
    }

    /// Rates per second, as they are measured.
    struct Rate: Equatable, Sendable {
        var capture: Double
        var reading: Double
        /// What readings are to be pushed at: how long to wait for the next one.
        var wanted = 0.0
    }

    /// Counts up by one, from 1, for as long as the program runs.
    var sequence: UInt64
    /// When the reading was published.
    var time: Date
    var state: State
    /// When the state began.
    var since: Date
    /// A sentence for a person: what is wrong and what to do. Null while all is well.
    var message: String?
    /// The mean, rounded, as `#RRGGBB`.
    var hex: String?
    /// The mean, rounded to nearest, half away from zero.
    var rgb: Channels<Int>?
    /// Mean over every pixel of the region of its R'G'B', each clamped to 0...255.
    var mean: Channels<Double>?
    /// (r + g + b) / (3 * 255) of `mean`, 0...1.
    var brightness: Double?
    /// `#000000` or `#FFFFFF`: whichever has the greater contrast on `hex` (WCAG 2.2).
    var textColor: String?
    var frame: Frame?
    /// The effect of the processed picture.
    var effect: String
    /// The part of the picture that is read, as people see it: rotated and mirrored.
    var region: Region
    var camera: Camera?
    var rate: Rate
    /// Frames that were not used although they arrived, or never arrived, since the camera was opened.
    var dropped: UInt64
    /// What else a person should know at present.
    var notices: [Bulletin.Notice] = []
    /// Which documents of the API to ask for again.
    var revisions = Bulletin.Revisions()
}
