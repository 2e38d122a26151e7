import Color
import Documents
import FoundationEssentials
import Metrology
import Pixels
import Untrusted

extension Sample: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, name, time, state, readings, hex, rgb, mean, linear, calibrated, lab, standardError, quality, camera,
            region
        case controls, frame, target, concentration, scales, picture, probes
    }

    private struct Lab: Encodable {
        var l: Double
        var a: Double
        var b: Double
    }

    /// Writes every key, missing values as null, and only significant decimals.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(time.timestamp, forKey: .time)
        try container.encode(state, forKey: .state)
        try container.encode(readings, forKey: .readings)
        try container.encode(color.hex, forKey: .hex)
        try container.encode(color, forKey: .rgb)
        try container.encode(mean.rounded(decimals: 4), forKey: .mean)
        try container.encode(linear?.rounded(decimals: 6), forKey: .linear)
        try container.encode(calibrated, forKey: .calibrated)
        let lab = lab
        try container.encode(
            Lab(
                l: lab.lightness.rounded(decimals: 4), a: lab.a.rounded(decimals: 4), b: lab.b.rounded(decimals: 4)),
            forKey: .lab)
        try container.encode(standardError, forKey: .standardError)
        try container.encode(quality, forKey: .quality)
        try container.encode(camera, forKey: .camera)
        try container.encode(region.coordinates, forKey: .region)
        try container.encode(controls, forKey: .controls)
        try container.encode(frame, forKey: .frame)
        try container.encode(target, forKey: .target)
        try container.encode(concentration, forKey: .concentration)
        try container.encode(scales, forKey: .scales)
        try container.encode(picture, forKey: .picture)
        try container.encode(probes, forKey: .probes)
    }
}

extension ProbeSums.Color: Codable {
    private enum CodingKeys: CodingKey { case concentration, hex, linear, mean, name }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(concentration, forKey: .concentration)
        try container.encode(mean.rounded.hex, forKey: .hex)
        try container.encode(linear, forKey: .linear)
        try container.encode(mean, forKey: .mean)
        try container.encode(name, forKey: .name)
    }

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

extension Sample.StandardError: Codable {
    private enum CodingKeys: CodingKey { case deltaE }

    /// Writes four decimals.
    package func encode(to encoder: any Encoder) throws {
        try channels.rounded(decimals: 4).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deltaE.rounded(decimals: 4), forKey: .deltaE)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            channels: try ChannelFigures(from: decoder), deltaE: try container.decode(Double.self, forKey: .deltaE))
    }
}

extension Sample.Target: Codable {
    private enum CodingKeys: CodingKey { case name, deltaE, verdict }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(deltaE, forKey: .deltaE)
        try container.encode(verdict?.rawValue, forKey: .verdict)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name).sanitized(),
            deltaE: try container.decode(Double.self, forKey: .deltaE),
            verdict: try container.decodeIfPresent(String.self, forKey: .verdict)
                .flatMap(Verdict.Outcome.init(rawValue:)))
    }
}

extension Sample.Frame: Codable {
    private enum CodingKeys: String, CodingKey { case width, height, format, colorimetry }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(format, forKey: .format)
        try container.encode(colorimetry, forKey: .colorimetry)
    }

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

extension Sample.Quality {
    fileprivate var sanitized: Self {
        Self(
            grade: grade.sanitized(),
            flags: flags.map { Flag(code: $0.code.sanitized(), value: $0.value, message: $0.message.sanitized()) })
    }
}
