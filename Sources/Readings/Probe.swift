package import Color
package import Documents
package import Metrology
package import Palettes
package import Pixels
import Untrusted

extension Reading {
    /// The colour of a region, averaged over the frames of a reading.
    package struct Measurement: Equatable, Sendable {
        /// The mean of the region's pixels, 0 to 255 in each channel.
        package var mean: RGB
        /// Their mean light.
        package var linear: LinearRGB?
        /// The distribution of the colours in the newest frame.
        package var statistics: RegionStatistics?
        /// The share of its pixels within each target, in the order of all targets; empty if there is none.
        package var coverage: [Coverage]

        package init(
            mean: RGB, linear: LinearRGB? = nil, statistics: RegionStatistics? = nil, coverage: [Coverage] = []
        ) {
            (self.mean, self.linear, self.statistics, self.coverage) = (mean, linear, statistics, coverage)
        }
    }

    /// The colour that a probe shows.
    package struct ProbeColor: Equatable, Sendable {
        package let probe: Probe
        /// Nil if there is no colour.
        package let measurement: Measurement?
        /// The verdicts on the colour, for the targets of the probe.
        package let judgement: Judgement
        /// The target that the colour matches, once that has held; nil while nothing does.
        package var state: AreaState?
        /// Whether that state, or that there is none, has held. No document has it.
        package var hasHeldState = false
        /// The colour by the calibration of the camera, if that is in force.
        package var calibrated: Calibrated?
        /// What is known about the light; nil if the probe is on none.
        package var light: LightState?
        /// The readings from which ``noise`` and ``quality`` are computed, at each access: most readings are sent without
        /// them.
        let newest: NewestReadings
        private let palette: Palette?

        /// - Parameters:
        ///   - newest: The newest readings of the probe, including this one.
        ///   - targets: All targets, of which the probe may have only some.
        ///   - palette: The configured palette.
        package init(
            _ probe: Probe, _ measurement: Measurement?, among newest: NewestReadings = NewestReadings(),
            against targets: [ColorTarget] = [], palette: Palette? = nil
        ) {
            self.probe = probe
            self.newest = newest
            self.palette = palette
            self.measurement = measurement
            let own = probe.indices(of: targets)
            guard let measurement, !own.isEmpty else {
                judgement = Judgement(without: own.map { targets[$0] })
                return
            }
            // Noise is no reason to refuse a verdict, so it need not be known here.
            judgement = newest.judgement(against: own.map { targets[$0] }, Quality(.init(measurement)))
                .with(own.compactMap { measurement.coverage.indices ~= $0 ? measurement.coverage[$0] : nil })
        }

        package var hex: String? { measurement?.mean.rounded.hex }

        /// The repeatability of the newest readings; nil until there are enough.
        package var noise: Noise? { newest.stability.noise }

        /// How far the colour can be trusted, by its pixels and by the noise. What concerns all probes alike, such as
        /// automatic controls, is in the quality of the reading.
        package var quality: Quality? { measurement.map { Quality(.init($0, newest.stability)) } }

        /// The colour in other notations; nil if there is none.
        package var color: ColorDetails? {
            measurement.map {
                ColorDetails($0.mean, isDistorted: quality?.isColorDistorted ?? false, palette: palette)
            }
        }
    }
}

extension Probe {
    /// Returns the indices of the targets that the probe has.
    fileprivate func indices(of targets: [ColorTarget]) -> [Int] {
        guard let names = self.targets else { return Array(targets.indices) }
        return targets.indices.filter { names.contains(Name(targets[$0].name)) }
    }
}

extension Reading.ProbeColor {
    /// Everything that is known of a probe.
    package struct Whole: JSONFields {
        let color: Reading.ProbeColor
        /// The reading that has the probe.
        let reading: Reading
        fileprivate let solution: Reading.Solution?

        init(color: Reading.ProbeColor, reading: Reading) {
            (self.color, self.reading) = (color, reading)
            solution = reading.solution(color.measurement, noise: color.noise, in: color.probe.region)
        }

        package static let fields: JSONFieldList<Whole> = [
            .value(
                "absorbance", .component("Absorbance").orNull,
                "The absorbance against the blank of its own region."
            ) { $0.solution?.absorbanceFields },
            .value(
                "calibrated", .component("Calibrated").orNull, "The colour by the calibration of the camera."
            ) { $0.color.calibrated },
            .value("color", .component("Color").orNull, "`mean` in other coordinates.") { $0.color.color },
            .value(
                "concentration", .component("Concentration").orNull,
                "The concentration by the standard curve."
            ) { $0.solution?.concentration },
            .value(
                "entered", .integer(from: 1).orNull,
                "How often the `state` was entered since the day began, in UTC; null without one."
            ) { $0.color.state?.entered },
            .value("hex", .hex.orNull, "`mean`, rounded, as `#RRGGBB`.") { $0.color.hex },
            .value(
                "light", .component("LightState").orNull,
                "What is known about the light from every frame; null if the probe is on none."
            ) { $0.color.light },
            .value(
                "lightState", .words(of: LightState.Word.self).orNull,
                "The same in a word; `unknown` if it cannot be told. Null if the probe is on no light."
            ) { $0.color.light?.word.rawValue },
            .channels(
                "linear", .component("Light").orNull, decimals: 6,
                "The mean light."
            ) { $0.color.measurement?.linear },
            .value(
                "match", .string.orNull,
                "The name of the nearest target that passes."
            ) { $0.color.judgement.matchName },
            .channels(
                "mean", .component("MeanColor").orNull, decimals: 4,
                "The mean of R'G'B', 0...255."
            ) { $0.color.measurement?.mean },
            .value("name", .component("TargetName"), "The name of the probe.") { $0.color.probe.name },
            .value("noise", .component("Noise").orNull, "The repeatability of its readings.") { $0.color.noise },
            .value(
                "quality", .component("Quality").orNull,
                "By the pixels and the noise of the probe. What concerns all probes alike, such as automatic "
                    + "controls, is in the `quality` of the reading."
            ) { $0.color.quality },
            .value("reference", .boolean, "Whether it is the reference.") { $0.color.probe.isReference },
            .value("region", .component("Region"), "Its part of the picture.") { $0.color.probe.region.coordinates },
            .channels(
                "relative", .component("RelativeLight").orNull, decimals: 6,
                "`linear`, corrected by the reference."
            ) { $0.reading.relative($0.color.measurement?.linear) },
            .value(
                "rgb", .component("RoundedColor").orNull,
                "`mean`, rounded."
            ) { $0.color.measurement?.mean.rounded },
            .value(
                "shape", .words(of: Shape.self),
                "The pixels of the region that are measured."
            ) { $0.color.probe.shape.rawValue },
            .value(
                "since", .time.orNull,
                "When the `state` began; null without one."
            ) { $0.color.state?.since.timestamp },
            .value(
                "state", .string.orNull,
                "The name of the target that the colour matches, once that has held for `readings.hold`; null while "
                    + "nothing does."
            ) { $0.color.state?.name },
            .value(
                "statistics", .component("Statistics").orNull,
                "The distribution of the colours in the newest frame."
            ) { $0.color.measurement?.statistics },
            .value(
                "targets",
                .array(of: .component("Verdict"), 0...CoverageTable.maxTargets),
                "The verdict on its colour for each target."
            ) { $0.color.judgement.entries },
            .value(
                "unique", .boolean.orNull,
                "Whether all targets but `match` fail."
            ) { $0.color.judgement.isUnique },
            .value(
                "verdict", .words(of: Verdict.Outcome.self).orNull,
                "The verdicts on all targets together."
            ) { $0.color.judgement.entries.outcome },
        ]
    }

    /// What every client is sent of a probe: there may be 96 of them.
    package struct Summary: JSONFields {
        let color: Reading.ProbeColor

        package static let fields: JSONFieldList<Summary> = [
            .value("hex", .hex.orNull) { $0.color.hex },
            .number(
                "lightHz", .number(from: 0).orNull, decimals: 2,
                "How often the light goes on in a second; null unless it blinks."
            ) { $0.color.light?.hz },
            .value(
                "lightState", .words(of: LightState.Word.self).orNull,
                "The state of the light; `unknown` if it cannot be told. Null if the probe is on no light."
            ) { $0.color.light?.word.rawValue },
            .value("name", .component("TargetName")) { $0.color.probe.name },
            .value(
                "state", .string.orNull,
                "The name of the target that the colour matches, once that has held; null while nothing does."
            ) { $0.color.state?.name },
            .value(
                "verdict", .words(of: Verdict.Outcome.self).orNull,
                "The verdicts on all targets together: `pass` if one is, `fail` if all are. Null without any."
            ) { $0.color.judgement.entries.outcome },
        ]
    }
}
