package import Color
package import Documents
package import FoundationEssentials
package import Handoff
package import Palettes
package import Pixels

/// The colour of the region, or the reason why there is none, pushed to clients `readings.rate` times a second.
///
/// Its JSON is the contract of `GET /api/reading`, `/ws` and `swatchcam read --json`. Every key is always present.
/// A value that does not apply is null.
package struct Reading: Equatable, Sendable {
    /// The origin of the colour, or the reason why there is none.
    package enum State: String, Encodable, CaseIterable, Sendable {
        /// The colour comes from a camera.
        case live
        /// The colour comes from the built-in test pattern.
        case testPattern = "test-pattern"
        /// The camera is being opened. Its first frame has not arrived yet.
        case starting
        /// The wanted camera is not connected.
        case noCamera = "no-camera"
        /// This user may not open the device.
        case denied
        /// Another program uses the camera.
        case busy
        /// The camera receives no video signal.
        case noSignal = "no-signal"
        /// The camera was removed or fell silent.
        case lost
        /// The camera offers no pixel format that Swatchcam reads.
        case unsupported
        /// The camera failed for another reason, which the message gives.
        case failed

        package var hasColor: Bool { self == .live || self == .testPattern }
    }

    package struct Size: Equatable, Sendable {
        package var width: Int
        package var height: Int
    }

    /// The frame that was read.
    package struct Frame: Equatable, Sendable {
        /// The driver's frame counter.
        package var sequence: UInt32
        package var width: Int
        package var height: Int
        /// The size of the frame as people see it, after the configured rotation.
        package var picture: Size
        /// The V4L2 fourcc, without trailing spaces.
        package var format: String
        /// The assumed interpretation of its code values, for people; nil if nothing was assumed.
        package var colorimetry: String?
        /// The time from the driver's timestamp to the publication of the reading, in milliseconds.
        package var ageMs: Double
        /// The time of capture, which tells frames apart: some drivers do not number them. No document has it.
        package var time: MonotonicTime
        /// The time of capture of the first frame that the reading averages.
        package var firstTime: MonotonicTime

        /// - Parameter isTurned: Whether people see the frame rotated by 90 or 270 degrees.
        package init(
            sequence: UInt32,
            width: Int,
            height: Int,
            isTurned: Bool = false,
            format: String,
            colorimetry: String? = nil,
            ageMs: Double,
            time: MonotonicTime = MonotonicTime(nanoseconds: 0),
            firstTime: MonotonicTime? = nil
        ) {
            self.sequence = sequence
            self.width = width
            self.height = height
            picture = isTurned ? Size(width: height, height: width) : Size(width: width, height: height)
            self.format = format
            self.colorimetry = colorimetry
            self.ageMs = ageMs
            self.time = time
            self.firstTime = firstTime ?? time
        }
    }

    /// The camera in use, or the one that Swatchcam waits for.
    package struct Camera: Encodable, Equatable, Sendable {
        /// The id, which is stable across reboots and renumbering.
        package var id: String
        package var name: String
        /// The device node; nil if there is none.
        @Nullable package var device: String?

        package init(id: String, name: String, device: String? = nil) {
            self.id = id
            self.name = name
            self.device = device
        }
    }

    /// The measured rates and the wanted rate, per second.
    package struct Rate: Equatable, Sendable {
        package var capture = 0.0
        package var reading = 0.0
        /// The rate at which readings are meant to be pushed, from which a client knows when to expect the next one.
        package var wanted = 0.0
    }

    /// The number of the reading, counted from 1 since the program started.
    package var sequence: UInt64 = 0
    /// The time at which the reading was published.
    package var time = Date(timeIntervalSince1970: 0)
    package var state: State
    /// The time at which the state began.
    package var since = Date(timeIntervalSince1970: 0)
    /// A sentence for a person that says what is wrong and what to do; nil if nothing is wrong.
    package var message: String?
    /// The mean of the R'G'B' of every pixel in the region, each clamped to 0...255.
    package var mean: RGB?
    /// The mean linear light of the region, 0...1, averaged over the same frames as `mean`: that of every pixel if
    /// `readings.average` is `linear`, otherwise that of the pixels from which statistics are taken.
    package var linear: LinearRGB?
    /// The distribution of the colours in the region of the newest frame.
    package var statistics: RegionStatistics?
    package var frame: Frame?
    /// The time from which the colour no longer counts as that of the moment (``asOf(_:)``); nil if there is no colour,
    /// or if it is not one of the moment but was stored. No document has it.
    package var expiry: MonotonicTime?
    /// The statistics of the readings since the last disturbance. A repeated reading repeats them.
    package var stability = Stability()
    /// How far the colour can be trusted; nil if there is no colour.
    package var quality: Quality?
    /// The effect of the processed picture.
    package var effect = "none"
    /// The part of the picture that is read, as people see it: rotated and mirrored.
    package var region = Region.full
    package var camera: Camera?
    package var rate = Rate()
    /// The number of frames that the camera has delivered since it was opened. Only the metrics have it.
    package var delivered: UInt64 = 0
    /// The number of frames that were lost or not used since the camera was opened.
    package var dropped: UInt64 = 0
    /// Those of them that could not be used, by the kind of fault. Only the metrics and the list of cameras have it.
    package var faults = FrameFaults()
    /// Further messages for a person.
    package var notices: [Notice] = []
    /// The versions of the API's documents.
    package var revisions = Revisions()
    /// The recording that is running; nil if there is none.
    package var recording: Recording?
    /// The configured palette, of which `color` names the nearest entry; nil if there is none.
    package var palette: Palette?
    /// The colour by the calibration of the camera; nil if there is none in force.
    package var calibrated: Calibrated?
    /// Whether the calibration of the camera is in force; nil if it has none.
    package var calibration: CalibrationStatus?
    /// The verdicts on the colour. A repeated reading repeats them.
    package var judgement = Judgement()
    /// The state of the region: the target that it matches, once that has held; nil while nothing does.
    package var regionState: AreaState?
    /// Whether that state, or that there is none, has held. No document has it.
    package var hasHeldState = false
    /// The parts that were judged so far; nil if there is no target.
    package var parts: PartCounts?
    /// The colours of the probes, in their order. A repeated reading repeats them.
    package var probes: [ProbeColor] = []
    /// What the colour is on each scale. A repeated reading repeats it.
    package var scales: [OnScale] = []
    /// How the light of the reference has changed; nil without a reference.
    package var reference: Reference?
    /// What absorbances are computed from; nil without a blank or a colour.
    package var absorbanceBasis: AbsorbanceBasis?
}

extension Reading {
    /// The placeholder until the first reading is published.
    package static let none = Reading(
        time: Date(), state: .starting, since: Date(), message: "Swatchcam is starting.")

    /// The mean, rounded to the nearest integer, with halves away from zero.
    package var rgb: RGB8? { mean?.rounded }
    /// The rounded mean as `#RRGGBB`.
    package var hex: String? { rgb?.hex }
    /// Whether the camera was just opened, and its colour does not hold yet.
    package var isSettling: Bool { quality?.flags.contains { $0.code == .settling } ?? false }
    /// The brightness, 0...1: (r + g + b) / (3 * 255) of `mean`.
    package var brightness: Double? { mean?.brightness }
    /// The colour for text on `hex`: `#000000` or `#FFFFFF`, whichever has the greater contrast (WCAG 2.2).
    package var textColor: String? { rgb?.textColor.hex }
}

/// The versions of the API's documents, which tell clients when to fetch one again. Each change increments a version.
package struct Revisions: Equatable, Sendable {
    /// The version of `GET /api/cameras`.
    package var cameras = 0
    /// The version of `GET /api/controls`.
    package var controls = 0
    /// The version of `remembered` and `problem` in `GET /api/settings`, and of the probes.
    package var settings = 0
    /// The version of `GET /api/samples`.
    package var samples = 0
    /// The number of changes of the marks in `GET /api/history`.
    package var history = 0
    /// The version of `GET /api/absorbance`.
    package var absorbance = 0

    package init(cameras: Int = 0, controls: Int = 0) { (self.cameras, self.controls) = (cameras, controls) }
}
