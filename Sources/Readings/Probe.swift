package import Color
package import Metrology
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

        package init(mean: RGB, linear: LinearRGB? = nil, statistics: RegionStatistics? = nil) {
            (self.mean, self.linear, self.statistics) = (mean, linear, statistics)
        }
    }

    /// The colour that a probe shows.
    package struct ProbeColor: Equatable, Sendable {
        package let probe: Probe
        /// Nil if there is no colour.
        package let measurement: Measurement?
        /// The verdicts on the colour.
        package let judgement: Judgement
        /// The readings from which ``noise`` and ``quality`` are computed, at each access: most readings are sent without
        /// them.
        private let newest: NewestReadings
        private let palette: Palette?

        /// - Parameters:
        ///   - newest: The newest readings of the probe, including this one.
        ///   - palette: The configured palette.
        package init(
            _ probe: Probe, _ measurement: Measurement?, among newest: NewestReadings = NewestReadings(),
            against targets: [ColorTarget] = [], palette: Palette? = nil
        ) {
            self.probe = probe
            self.newest = newest
            self.palette = palette
            self.measurement = measurement
            guard let measurement, !targets.isEmpty else {
                judgement = Judgement(without: targets)
                return
            }
            // Noise is no reason to refuse a verdict, so it need not be known here.
            judgement = newest.judgement(against: targets, Quality(.init(measurement)))
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

extension Reading.ProbeColor {
    /// Everything that is known of a probe.
    struct Whole: JSONObject {
        let color: Reading.ProbeColor
        /// The reading that has the probe.
        let reading: Reading

        func writeFields(to json: inout JSONWriter) {
            let measurement = color.measurement
            let solution = reading.solution(measurement, noise: color.noise, in: color.probe.region)
            json.absorbance(of: solution)
            json.field("color", color.color)
            json.field("concentration", solution?.concentration)
            json.field("hex", color.hex)
            json.field("linear", measurement?.linear, decimals: 6)
            json.field("match", color.judgement.matchName)
            json.field("mean", measurement?.mean, decimals: 4)
            json.field("name", color.probe.name)
            json.field("noise", color.noise)
            json.field("quality", color.quality)
            json.field("reference", color.probe.isReference)
            json.field("region", color.probe.region.coordinates)
            json.field("relative", reading.relative(measurement?.linear), decimals: 6)
            json.field("rgb", measurement?.mean.rounded)
            json.field("statistics", measurement?.statistics.map { StatisticsFields(statistics: $0) })
            json.field("targets", color.judgement.entries)
            json.field("unique", color.judgement.isUnique)
            json.field("verdict", color.judgement.entries.outcome)
        }
    }

    /// What every client is sent of a probe: there may be 96 of them.
    struct Summary: JSONObject {
        let color: Reading.ProbeColor

        func writeFields(to json: inout JSONWriter) {
            json.field("hex", color.hex)
            json.field("name", color.probe.name)
            json.field("verdict", color.judgement.entries.outcome)
        }
    }
}
