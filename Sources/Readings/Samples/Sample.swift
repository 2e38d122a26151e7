package import Color
import Documents
package import FoundationEssentials
package import Metrology
package import Pixels
import Untrusted

/// One deliberate measurement: the mean of several readings, and everything that it depends on.
package struct Sample: Equatable, Sendable {
    /// The numbers of readings that a sample may average.
    package static let readingCounts = 1...256
    /// The number of readings that a sample averages unless another one is asked for.
    package static let defaultReadings = 16

    /// The standard errors of the mean.
    package struct StandardError: Equatable, Sendable {
        /// The standard error of each channel, on the scale of 0...255.
        package var channels: ChannelFigures
        /// The standard error of the colour, as a difference by CIEDE2000.
        package var deltaE: Double
    }

    /// How far the sample can be trusted.
    package struct Quality: Decodable, Equatable, Sendable {
        /// A reason to trust it less.
        package struct Flag: Decodable, Equatable, Sendable {
            package var code: String
            package var value: Double
            package var message: String
        }

        /// `good`, `fair` or `poor`.
        package var grade: String
        package var flags: [Flag]
    }

    /// How the sample compares with a target: the one that it matches, or else the nearest.
    package struct Target: Equatable, Sendable {
        package var name: String
        package var deltaE: Double
        /// The verdict; nil if there is none, for example because of too few readings.
        package var verdict: Verdict.Outcome?

        package init(name: String, deltaE: Double, verdict: Verdict.Outcome?) {
            self.name = name
            self.deltaE = deltaE.rounded(decimals: 4)
            self.verdict = verdict
        }
    }

    /// The camera that took it.
    package struct Camera: Decodable, Equatable, Sendable {
        package var id: String
        package var name: String
    }

    /// The format of the frames that were read.
    package struct Frame: Equatable, Sendable {
        package var width: Int
        package var height: Int
        /// The V4L2 fourcc, without trailing spaces.
        package var format: String
        /// The assumed interpretation of the code values; nil if nothing was assumed.
        package var colorimetry: String?
    }

    /// The value of a camera's control.
    package typealias ControlValue = MeasuringConditions.ControlValue

    /// The number of the sample, which no later sample gets, even if this one is deleted.
    package var id: Int
    package var name: String
    /// The time at which its last reading was published.
    package var time: Date
    /// Whether the colour comes from a camera or from the test pattern.
    package var state: Reading.State
    /// The number of readings that were averaged.
    package var readings: Int
    /// The mean of the readings' means: R'G'B' of 0...255, with the four decimals that are stored. What is computed from
    /// it is therefore the same after a restart.
    package var mean: RGB
    /// The mean light of each channel, 0...1; nil if the readings did not have it.
    package var linear: LinearRGB?
    /// The mean colour by the calibration of the camera; nil if a reading did not have it.
    package var calibrated: Reading.Calibrated?
    /// The standard errors; nil if there are too few readings to estimate them.
    package var standardError: StandardError?
    /// The quality; nil if it is not known.
    package var quality: Quality?
    package var camera: Camera?
    /// The part of the picture that was read.
    package var region: Region
    /// The camera's controls by their names, as they were at the end.
    package var controls: [String: ControlValue]
    package var frame: Frame?
    /// The target that it was compared with; nil if there was none.
    package var target: Target?
    /// The concentration by the standard curve, from the light of all readings; nil if it is not defined.
    package var concentration: Concentration?
    /// What the colour was on each scale with the last reading.
    package var scales: [Reading.OnScale]
    /// The address of the picture of its moment, below that of the page; nil if there is none.
    package var picture: String?
    /// The mean colours of the probes that were set.
    package var probes: [ProbeSums.Color]

    package init(
        id: Int, name: String, time: Date, state: Reading.State, readings: Int, mean: RGB, linear: LinearRGB? = nil,
        calibrated: Reading.Calibrated? = nil, standardError: StandardError? = nil, quality: Quality? = nil,
        camera: Camera? = nil, region: Region,
        controls: [String: ControlValue] = [:], frame: Frame? = nil, target: Target? = nil,
        concentration: Concentration? = nil, scales: [Reading.OnScale] = [], picture: String? = nil,
        probes: [ProbeSums.Color] = []
    ) {
        self.id = id
        self.name = name
        self.time = time
        self.state = state
        self.readings = readings
        self.mean = mean.rounded(decimals: 4)
        self.linear = linear
        self.calibrated = calibrated
        self.standardError = standardError
        self.quality = quality
        self.camera = camera
        self.region = region
        self.controls = controls
        self.frame = frame
        self.target = target
        self.concentration = concentration
        (self.scales, self.picture) = (scales, picture)
        self.probes = probes.map {
            .init(
                name: $0.name, mean: $0.mean.rounded(decimals: 4), linear: $0.linear?.rounded(decimals: 6),
                concentration: $0.concentration)
        }
    }

    /// The mean as it is shown.
    package var color: RGB8 { mean.rounded }

    /// The mean in CIELAB, relative to D50.
    package var lab: CIELab { CIELab(mean) }

    /// Whether so many pixels are clipped that the colour is not known.
    package var isClipped: Bool {
        quality?.flags.contains { flag in
            [Readings.Quality.Flag.Code.clippedHigh, .clippedLow].contains { $0.rawValue == flag.code }
                && flag.value >= Readings.Quality.poorShare
        } == true
    }

    /// Whether clipping or darkness has changed the balance of the channels.
    var isDistorted: Bool {
        quality?.flags.contains { Readings.Quality.Flag.Code(rawValue: $0.code)?.distortsColor == true } == true
    }

    /// Whether the quality has one of these flags.
    package func hasFlag(among codes: [Readings.Quality.Flag.Code]) -> Bool {
        quality?.flags.contains { flag in codes.contains { $0.rawValue == flag.code } } == true
    }
}

/// The name of a sample: one printable line of bounded length.
package struct SampleName: Equatable, Sendable {
    /// The maximum number of characters, counted as Unicode scalars.
    package static let maxLength = 100

    package let text: String

    /// Makes a name from a client's text. Control characters and the like are replaced, so no name breaks a line.
    /// - Parameter id: The number of the sample, after which it is named if the text is empty.
    /// - Returns: Nil if the text is too long.
    package init?(_ text: String, id: Int) {
        let trimmed = text.trimmed
        guard trimmed.unicodeScalars.count <= Self.maxLength else { return nil }
        self.text = trimmed.isEmpty ? "Sample \(id)" : trimmed.sanitized(limit: Self.maxLength)
    }

    /// Makes a name from a stored text, which is cut off if it is too long.
    init(stored text: String, id: Int) {
        self.text = Self(text.sanitized(limit: Self.maxLength), id: id)?.text ?? "Sample \(id)"
    }
}
