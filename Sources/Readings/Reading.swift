package import Foundation
package import Handoff
package import Pixels
package import Untrusted

/// What everyone gets, `readings.rate` times a second: the colour of the region, or why there is none.
///
/// Its JSON is the contract of `GET /api/reading`, `/ws` and `swatchcam read --json`. Every key is always there;
/// a value that does not apply is null.
package struct Reading: Equatable, Sendable {
    /// Where the colour comes from, or why there is none.
    package enum State: String, Encodable, CaseIterable, Sendable {
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
        package var hasColor: Bool { self == .live || self == .testPattern }
    }

    /// Three channels of R'G'B' (sRGB as it is encoded), 0...255.
    package struct Channels<Value: Encodable & Equatable & Sendable>: Encodable, Equatable, Sendable {
        package var r: Value
        package var g: Value
        package var b: Value

        package init(r: Value, g: Value, b: Value) {
            self.r = r
            self.g = g
            self.b = b
        }
    }

    /// The frame that was read.
    package struct Frame: Equatable, Sendable {
        /// The driver's frame counter.
        package var sequence: UInt32
        package var width: Int
        package var height: Int
        /// V4L2 fourcc, trailing spaces removed.
        package var format: String
        /// What was assumed of its code values, for people; null where nothing is.
        package var colorimetry: String?
        /// From the driver's timestamp to the moment at which the reading was published, in milliseconds.
        package var ageMs: Double

        package init(
            sequence: UInt32,
            width: Int,
            height: Int,
            format: String,
            colorimetry: String? = nil,
            ageMs: Double
        ) {
            self.sequence = sequence
            self.width = width
            self.height = height
            self.format = format
            self.colorimetry = colorimetry
            self.ageMs = ageMs
        }
    }

    /// The camera in use, or the one that is waited for.
    package struct Camera: Encodable, Equatable, Sendable {
        /// Stable across reboots and renumbering.
        package var id: String
        package var name: String
        /// The device node; null while there is none.
        @Nullable package var device: String?

        package init(id: String, name: String, device: String? = nil) {
            self.id = id
            self.name = name
            self.device = device
        }
    }

    /// Rates per second, as they are measured.
    package struct Rate: Equatable, Sendable {
        package var capture: Double
        package var reading: Double
        /// What readings are to be pushed at: how long to wait for the next one.
        package var wanted = 0.0

        package init(capture: Double, reading: Double, wanted: Double = 0.0) {
            self.capture = capture
            self.reading = reading
            self.wanted = wanted
        }
    }

    /// Counts up by one, from 1, for as long as the program runs.
    package var sequence: UInt64
    /// When the reading was published.
    package var time: Date
    package var state: State
    /// When the state began.
    package var since: Date
    /// A sentence for a person: what is wrong and what to do. Null while all is well.
    package var message: String?
    /// The mean, rounded, as `#RRGGBB`.
    package var hex: String?
    /// The mean, rounded to nearest, half away from zero.
    package var rgb: Channels<Int>?
    /// Mean over every pixel of the region of its R'G'B', each clamped to 0...255.
    package var mean: Channels<Double>?
    /// (r + g + b) / (3 * 255) of `mean`, 0...1.
    package var brightness: Double?
    /// `#000000` or `#FFFFFF`: whichever has the greater contrast on `hex` (WCAG 2.2).
    package var textColor: String?
    package var frame: Frame?
    /// The effect of the processed picture.
    package var effect: String
    /// The part of the picture that is read, as people see it: rotated and mirrored.
    package var region: Region
    package var camera: Camera?
    package var rate: Rate
    /// Frames that were not used although they arrived, or never arrived, since the camera was opened.
    package var dropped: UInt64
    /// What else a person should know.
    package var notices: [Notice] = []
    /// The versions of the API's documents.
    package var revisions = Revisions()

    package init(
        sequence: UInt64,
        time: Date,
        state: State,
        since: Date,
        message: String? = nil,
        hex: String? = nil,
        rgb: Channels<Int>? = nil,
        mean: Channels<Double>? = nil,
        brightness: Double? = nil,
        textColor: String? = nil,
        frame: Frame? = nil,
        effect: String,
        region: Region,
        camera: Camera? = nil,
        rate: Rate,
        dropped: UInt64,
        notices: [Notice] = [],
        revisions: Revisions = Revisions()
    ) {
        self.sequence = sequence
        self.time = time
        self.state = state
        self.since = since
        self.message = message
        self.hex = hex
        self.rgb = rgb
        self.mean = mean
        self.brightness = brightness
        self.textColor = textColor
        self.frame = frame
        self.effect = effect
        self.region = region
        self.camera = camera
        self.rate = rate
        self.dropped = dropped
        self.notices = notices
        self.revisions = revisions
    }
}
