import Color
package import Documents
package import FoundationEssentials
import Handoff
package import Metrology
package import Pixels

/// A collector of the readings of one sample while they arrive.
///
/// Only new frames count: a reading that repeats a frame, or shares one with the last reading that counted, is not a
/// second measurement. Whatever the sample depends on must stay as it was with its first reading.
package struct SampleCollector: Sendable {
    /// The state of a sample after a reading.
    package enum Progress: Equatable, Sendable {
        /// More readings are needed.
        case underWay
        /// There are enough readings.
        case complete
        /// The sample cannot be completed: a sentence that says why.
        case interrupted(String)
    }

    /// The minimum number of readings whose mean has a standard error.
    package static let minCountWithError = SeriesEstimate.minCount

    private let count: Int
    private let region: Region
    /// The time of capture of the last frame that was known before the sample began, or of the last reading that
    /// counts. Readings with this frame or an older one do not count.
    private var lastTime: MonotonicTime
    private var isFirstFrame = true
    /// The readings without what is known of their probes and without their statistics, which with many probes and
    /// targets have megabytes.
    private var readings: [Reading] = []
    /// The newest reading that counts, whole.
    package private(set) var newest: Reading?
    /// The light of the region, and of the probes of the first reading.
    private(set) var areas: [Area] = []
    private var probeSums = ProbeSums()
    /// Whether a probe was set, moved or deleted meanwhile.
    private var haveProbesChanged = false

    /// The light of an area in one reading after another.
    struct Area: Sendable {
        let region: Region
        /// Nil if it is not known for a reading, or the area was moved.
        private(set) var lights: [LinearRGB]? = []
        /// The greatest shares of clipped pixels.
        private(set) var clippedHigh = ChannelFigures.zero

        init(region: Region) { self.region = region }

        mutating func add(_ light: LinearRGB?, _ statistics: RegionStatistics?, in region: Region?) {
            if let light, region == self.region { lights?.append(light) } else { lights = nil }
            if let statistics { clippedHigh = clippedHigh.combined(with: statistics.clippedHigh, by: max) }
        }
    }

    /// - Parameters:
    ///   - count: The number of readings to average.
    ///   - region: The region in the configuration. Earlier readings may still have another one.
    ///   - newest: The newest reading before the sample, whose frame does not count.
    package init(of count: Int, in region: Region, after newest: Reading) {
        self.count = count
        self.region = region
        lastTime = newest.frame?.time ?? MonotonicTime(nanoseconds: .min)
    }

    /// Adds a reading.
    /// - Parameter elapsed: The time since the sample began, in seconds. The first frame does not count if it is older
    ///   than that.
    package mutating func add(_ reading: Reading, elapsed: Double) -> Progress {
        guard reading.state.hasColor, let frame = reading.frame, reading.mean != nil else {
            return .interrupted(reading.whyNoColor)
        }
        if let first = readings.first, let change = Self.change(from: first, to: reading) {
            return .interrupted("\(change) while the sample was being taken. Take it again.")
        }
        if readings.isEmpty, reading.region != region || reading.isSettling { return .underWay }
        guard frame.time > lastTime else { return .underWay }
        // Only the newest frame waits in the driver, so the next one is recent enough.
        let isOld = isFirstFrame && frame.ageMs > elapsed * 1000
        isFirstFrame = false
        guard !isOld, frame.firstTime > lastTime else {
            if isOld { lastTime = frame.time }
            return .underWay
        }
        lastTime = frame.time
        keep(reading)
        return readings.count >= count ? .complete : .underWay
    }

    private mutating func keep(_ reading: Reading) {
        let probes = reading.probes
        if readings.isEmpty {
            areas = ([reading.region] + probes.map(\.probe.region)).map { Area(region: $0) }
        } else if newest?.probes.map(\.probe) != probes.map(\.probe) {
            haveProbesChanged = true
        }
        areas[0].add(reading.linear, reading.statistics, in: reading.region)
        for index in areas.indices.dropFirst() {
            let color = probes.dropFirst(index - 1).first
            areas[index].add(color?.measurement?.linear, color?.measurement?.statistics, in: color?.probe.region)
        }
        probeSums.add(ProbeSums(reading.probeColors))
        newest = reading
        var kept = reading
        (kept.probes, kept.statistics, kept.judgement) = ([], nil, Reading.Judgement())
        readings.append(kept)
    }

    /// Returns the sample, compared with the targets; nil if there is no reading.
    package func sample(
        id: Int, name: String, controls: [String: Sample.ControlValue], targets: [ColorTarget] = [],
        picture: String? = nil
    ) -> Sample? {
        let colors = readings.compactMap(\.mean)
        guard let last = readings.last, let mean = colors.mean else { return nil }
        return Sample(
            id: id, name: name, time: last.time, state: last.state, readings: readings.count, mean: mean,
            linear: SampleFigures.mean(of: readings) { $0.linear },
            calibrated: SampleFigures.mean(of: readings) { $0.calibrated?.linear }.map(Reading.Calibrated.init),
            standardError: Sample.StandardError(of: colors),
            quality: SampleFigures.quality(of: readings),
            camera: last.camera.map { .init(id: $0.id, name: $0.name) }, region: last.region, controls: controls,
            frame: last.frame.map {
                .init(width: $0.width, height: $0.height, format: $0.format, colorimetry: $0.colorimetry)
            },
            target: verdicts(against: targets)?.judgement.nearest,
            concentration: areas.first.flatMap(concentration), scales: scales, picture: picture,
            probes: haveProbesChanged ? [] : probeColors)
    }

    /// What the last reading says of each scale.
    private var scales: [Reading.OnScale] {
        (newest?.scales ?? []).map { scale in
            var scale = scale
            scale.due = nil
            return scale
        }
    }

    /// The mean colours of the probes, whose concentrations come from the light of all readings.
    private var probeColors: [ProbeSums.Color] {
        let places = Dictionary(
            zip(newest?.probes.map(\.probe.name) ?? [], areas.dropFirst()), uniquingKeysWith: { first, _ in first })
        return probeSums.colors.map { color in
            var color = color
            color.concentration = places[color.name].flatMap(concentration)
            return color
        }
    }

    /// Returns the verdicts on the mean of the readings; nil if there is none.
    package func verdicts(against targets: [ColorTarget]) -> SampleVerdicts? {
        guard let last = readings.last, let first = readings.first?.frame?.time else { return nil }
        let colors = readings.compactMap(\.mean)
        let quality = SampleFigures.doubts(about: readings) ?? Quality(flags: [])
        let judgement = Reading.Judgement(
            of: colors.map { CIELab($0) }, at: readings.map { ($0.frame?.time ?? first) - first }, against: targets,
            quality)
        return SampleVerdicts(
            judgement: judgement, quality: quality, hex: colors.mean?.rounded.hex, readings: readings.count,
            time: last.time)
    }

    /// Returns what has changed from one reading to another, as the start of a sentence; nil if it is nothing that a
    /// sample depends on.
    private static func change(from first: Reading, to reading: Reading) -> String? {
        if first.state != reading.state || first.camera != reading.camera { return "The camera changed" }
        if first.region != reading.region { return "The area changed" }
        guard let old = first.frame, let new = reading.frame else { return nil }
        return (old.width, old.height, old.format) != (new.width, new.height, new.format)
            || old.colorimetry != new.colorimetry || old.picture != new.picture ? "The camera's format changed" : nil
    }
}

extension Reading {
    /// The reason why there is no colour, in a sentence.
    package var whyNoColor: String { "There is no colour: \(message ?? state.rawValue)" }
}

/// The figures of a sample that are computed from all of its readings.
enum SampleFigures {
    /// Returns the mean of a light of the readings; nil if a reading does not have it.
    static func mean(of readings: [Reading], _ light: (Reading) -> LinearRGB?) -> LinearRGB? {
        let lights = readings.compactMap(light)
        return lights.count == readings.count ? lights.mean : nil
    }

    /// Returns the quality of a sample, which is no better than that of any of its readings; nil if none has one.
    ///
    /// A doubt about several readings appears once, with the figure of the worst of them.
    static func quality(of readings: [Reading]) -> Sample.Quality? {
        doubts(about: readings).map { quality in
            .init(
                grade: quality.grade.rawValue,
                flags: quality.flags.map {
                    .init(code: $0.code.rawValue, value: $0.value.rounded(decimals: 4), message: $0.message)
                })
        }
    }

    static func doubts(about readings: [Reading]) -> Quality? {
        let qualities = readings.compactMap(\.quality)
        guard !qualities.isEmpty else { return nil }
        return Quality(
            flags: Quality.Flag.Code.allCases.compactMap { code in
                qualities.flatMap(\.flags).filter { $0.code == code }
                    .max { ($0.grade, $0.value) < ($1.grade, $1.value) }
            })
    }
}

extension Sample.StandardError {
    /// Creates the standard error of the average of successive readings, which need not be independent (see
    /// `SeriesEstimate`). That of the colour is the root of the sum of the squares over three coordinates.
    /// - Parameter readings: The `mean` of successive readings of a steady scene.
    /// - Returns: Nil for fewer than 8 readings.
    init?(of readings: [RGB]) {
        guard let (errors, _) = ChannelFigures.standardErrors(of: readings) else { return nil }
        let axes = readings.map(CIELab.init).coordinates.series.compactMap { SeriesEstimate($0)?.mean.standardError }
        self.init(channels: errors, deltaE: axes.reduce(0) { $0 + $1 * $1 }.squareRoot())
    }
}

/// The verdicts on one thing, of which several readings were taken.
package struct SampleVerdicts: Equatable, Sendable {
    package let judgement: Reading.Judgement
    package let quality: Quality
    /// The mean of the readings.
    package let hex: String?
    package let readings: Int
    /// The time of the last reading.
    package let time: Date
}

extension SampleVerdicts: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("hex", .hex.orNull, "The mean of the readings.") { $0.hex },
        .value(
            "match", .string.orNull, "The name of the nearest target whose verdict is `pass`; null if there is none."
        ) { $0.judgement.matchName },
        .value("quality", .component("Quality")) { $0.quality },
        .value("readings", .integer(MeasuredColor.minCount...Sample.readingCounts.upperBound)) { $0.readings },
        .value("targets", .array(of: .component("Verdict"), 1...CoverageTable.maxTargets)) { $0.judgement.entries },
        .value("time", .time, "When the last reading was published, in UTC.") { $0.time.timestamp },
        .value(
            "unique", .boolean.orNull,
            "Whether the colour is beyond the tolerance of every other target; null if `match` is null."
        ) { $0.judgement.isUnique },
    ]
}
