import Color
package import Documents
import FoundationEssentials
import Metrology
import Pixels
import Untrusted

extension Sample: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .objectOrNull(
            "calibrated", "The mean colour by the calibration of the camera; null if a reading had none.",
            Reading.Calibrated.stored
        ) { $0.calibrated },
        .objectOrNull("camera", "", Camera.fields) { $0.camera },
        .value(
            "concentration", .component("Concentration").orNull,
            "By the standard curve, from the light of all readings; null without a curve, or for fewer than 8 readings."
        ) { $0.concentration },
        .encoded(
            "controls", ["type": "object", "additionalProperties": ["type": ["integer", "string"]]],
            "The values of the camera's controls at the end, by name."
        ) { $0.controls },
        .objectOrNull("frame", "The format of the frames that were read.", Frame.fields) { $0.frame },
        .value("hex", .hex, "The rounded mean.") { $0.color.hex },
        .value("id", .integer(1...maxID), "No later sample gets the number of this one.") { $0.id },
        .value("lab", CIELab.schema, "The mean in CIELAB with the white point D50, to four decimals.") { $0.lab },
        .channels("linear", .channels(.number(0...1)).orNull, decimals: 6, "The mean light.") { $0.linear },
        .channels(
            "mean", .channels(.number(0...255)), decimals: 4, "The mean of the readings' means, 0...255."
        ) { $0.mean },
        .value("name", .component("SampleName")) { $0.name },
        .value(
            "picture", .string.orNull,
            "The address of the picture of its moment, relative to the pages; null unless it was taken at the end of a "
                + "wait. It may have given way to newer ones."
        ) { $0.picture },
        .objects(
            "probes", "The mean colours of the probes that were set; none if one was set, moved or deleted meanwhile.",
            count: 0...Probe.maxCount, ProbeSums.Color.fields
        ) { $0.probes },
        .objectOrNull("quality", "How far the sample can be trusted.", Quality.fields) { $0.quality },
        .value("readings", .component("SampleReadings")) { $0.readings },
        .value("region", .component("Region")) { $0.region.coordinates },
        .value("rgb", .channels(.integer(0...255)), "The rounded mean.") { $0.color },
        .value(
            "scales", .array(of: .component("OnScale"), 0...NamedScale.maxCount),
            "The value on each scale with its last reading, which goes by up to 32 readings."
        ) { $0.scales },
        .objectOrNull(
            "standardError",
            "The standard errors of the mean: of each channel, and of the colour as a difference by CIEDE2000. Null if "
                + "there are too few readings.",
            StandardError.fields
        ) { $0.standardError },
        .value("state", .words(["live", "test-pattern"]), "Where the colour comes from.") { $0.state },
        .objectOrNull(
            "target", "The target that the sample matched when it was taken, or else the nearest one.", Target.fields
        ) { $0.target },
        .value("time", .time, "When the last reading was published.") { $0.time.timestamp },
    ]
}

extension ProbeSums.Color {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("concentration", .component("Concentration").orNull) { $0.concentration },
        .value("hex", .hex) { $0.mean.rounded.hex },
        .channels("linear", .channels(.number).orNull, decimals: 6) { $0.linear },
        .channels("mean", .channels(.number), decimals: 4) { $0.mean },
        .value("name", .string) { $0.name },
    ]
}

extension ProbeSums.Color: Decodable {
    private enum CodingKeys: CodingKey { case concentration, linear, mean, name }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: Name(try container.decode(String.self, forKey: .name).sanitized(limit: Sample.maxProbeName)),
            mean: try container.decode(RGB.self, forKey: .mean),
            linear: try container.decodeIfPresent(LinearRGB.self, forKey: .linear),
            concentration: try container.decodeIfPresent(Concentration.self, forKey: .concentration))
    }
}

extension Sample: Decodable {
    private enum CodingKeys: CodingKey {
        case id, name, time, state, readings, mean, linear, calibrated, standardError, quality, camera, region, controls
        case frame, target, concentration, scales, picture, probes
    }

    /// The maximum number of a sample, which JavaScript still represents exactly.
    package static let maxID = 9_007_199_254_740_991
    /// The maximum number of controls, and of flags, in a stored sample. No more controls of a camera are listed.
    private static let maxEntries = 1_024
    /// The maximum length of the address of a picture, in scalars.
    private static let maxAddress = 100
    /// The maximum length of a probe's name, in scalars.
    fileprivate static let maxProbeName = 60

    /// Reads a stored sample. Whatever follows from `mean` is not read but computed, and text is sanitized.
    /// - Throws: A `DecodingError` if a value is not one that Swatchcam writes.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func check(_ isValid: Bool, _ key: CodingKeys) throws {
            guard isValid else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "out of range")
            }
        }
        let id = try container.decode(Int.self, forKey: .id)
        try check(1...Self.maxID ~= id, .id)
        let name = try container.decode(String.self, forKey: .name)
        let time = Date(timestamp: try container.decode(String.self, forKey: .time))
        try check(time != nil, .time)
        let state = Reading.State(rawValue: try container.decode(String.self, forKey: .state))
        try check(state?.hasColor == true, .state)
        let readings = try container.decode(Int.self, forKey: .readings)
        try check(Self.readingCounts ~= readings, .readings)
        let mean = try container.decode(RGB.self, forKey: .mean)
        try check(mean.values.allSatisfy { 0...255 ~= $0 }, .mean)
        let region = try container.decode([Double].self, forKey: .region)
        try check(region.count == 4 && region.allSatisfy { 0...1 ~= $0 }, .region)
        let controls = try container.decode([String: ControlValue].self, forKey: .controls)
        try check(controls.count <= Self.maxEntries, .controls)
        let quality = try container.decodeIfPresent(Quality.self, forKey: .quality)
        try check(quality?.flags.count ?? 0 <= Self.maxEntries, .quality)
        let target = try container.decodeIfPresent(Target.self, forKey: .target)
        try check(0...1000 ~= target?.deltaE ?? 0, .target)
        let probes = try container.decodeIfPresent([ProbeSums.Color].self, forKey: .probes) ?? []
        try check(
            probes.count <= Probe.maxCount
                && probes.allSatisfy { $0.mean.values.allSatisfy { 0...255 ~= $0 } },
            .probes)
        let scales = try container.decodeIfPresent([Reading.OnScale].self, forKey: .scales) ?? []
        try check(scales.count <= NamedScale.maxCount, .scales)
        self.init(
            id: id, name: SampleName(stored: name, id: id).text, time: time ?? Date(timeIntervalSince1970: 0),
            state: state ?? .live, readings: readings, mean: mean,
            linear: try container.decodeIfPresent(LinearRGB.self, forKey: .linear),
            calibrated: try container.decodeIfPresent(Reading.Calibrated.self, forKey: .calibrated),
            standardError: try container.decodeIfPresent(StandardError.self, forKey: .standardError),
            quality: quality?.sanitized,
            camera: try container.decodeIfPresent(Camera.self, forKey: .camera)
                .map { Camera(id: $0.id.sanitized(), name: $0.name.sanitized()) },
            region: Region(x: region[0], y: region[1], width: region[2], height: region[3]),
            controls: Dictionary(controls.map { ($0.sanitized(), $1.sanitized) }) { first, _ in first },
            frame: try container.decodeIfPresent(Frame.self, forKey: .frame),
            target: target,
            concentration: try container.decodeIfPresent(Concentration.self, forKey: .concentration), scales: scales,
            picture: try container.decodeIfPresent(String.self, forKey: .picture)?.sanitized(limit: Self.maxAddress),
            probes: probes)
    }
}

extension Sample.StandardError: Decodable {
    fileprivate static let fields: JSONFieldList<Self> = [
        .number("b", .number(from: 0), decimals: 4) { $0.channels.b },
        .number("deltaE", .number(from: 0), decimals: 4) { $0.deltaE },
        .number("g", .number(from: 0), decimals: 4) { $0.channels.g },
        .number("r", .number(from: 0), decimals: 4) { $0.channels.r },
    ]

    private enum CodingKeys: CodingKey { case deltaE }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            channels: try ChannelFigures(from: decoder), deltaE: try container.decode(Double.self, forKey: .deltaE))
    }
}

extension Sample.Target: Decodable {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("deltaE", .number(from: 0)) { $0.deltaE },
        .value("name", .string) { $0.name },
        .value("verdict", .words(of: Verdict.Outcome.self).orNull) { $0.verdict?.rawValue },
    ]

    private enum CodingKeys: CodingKey { case name, deltaE, verdict }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name).sanitized(),
            deltaE: try container.decode(Double.self, forKey: .deltaE),
            verdict: try container.decodeIfPresent(String.self, forKey: .verdict)
                .flatMap(Verdict.Outcome.init(rawValue:)))
    }
}

extension Sample.Camera {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("id", .string) { $0.id },
        .value("name", .string) { $0.name },
    ]
}

extension Sample.Frame: Decodable {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("colorimetry", .string.orNull, "The assumed colour encoding.") { $0.colorimetry },
        .value("format", .string, "The fourcc of V4L2.") { $0.format },
        .value("height", .integer(from: 1)) { $0.height },
        .value("width", .integer(from: 1)) { $0.width },
    ]

    private enum CodingKeys: CodingKey { case width, height, format, colorimetry }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            width: try container.decode(Int.self, forKey: .width),
            height: try container.decode(Int.self, forKey: .height),
            format: try container.decode(String.self, forKey: .format).sanitized(),
            colorimetry: try container.decodeIfPresent(String.self, forKey: .colorimetry)?.sanitized())
    }
}

extension Sample.ControlValue {
    fileprivate var sanitized: Self {
        if case .text(let text) = self { .text(text.sanitized()) } else { self }
    }
}

extension Sample.Quality.Flag {
    fileprivate static let fields: JSONFieldList<Self> = [
        .value("code", .string) { $0.code },
        .value("message", .string) { $0.message },
        .value("value", .number) { $0.value },
    ]
}

extension Sample.Quality {
    fileprivate static let fields: JSONFieldList<Self> = [
        .objects("flags", "", Flag.fields) { $0.flags },
        .value("grade", .words(of: Readings.Quality.Grade.self)) { $0.grade },
    ]

    fileprivate var sanitized: Self {
        Self(
            grade: grade.sanitized(),
            flags: flags.map { Flag(code: $0.code.sanitized(), value: $0.value, message: $0.message.sanitized()) })
    }
}
