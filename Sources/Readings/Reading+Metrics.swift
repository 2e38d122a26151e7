import Color
package import Documents
import FoundationEssentials
import Metrology
import Pixels
import Untrusted

extension Reading {
    /// Writes the metrics of the reading and its camera (docs/prometheus.md).
    ///
    /// The hexadecimal colour is not a label: each new value of a label begins another series, which Prometheus keeps.
    package func write(to metrics: inout MetricsWriter) {
        metrics.write(
            "swatchcam_camera_info", .gauge, "The camera in use, or the one that Swatchcam waits for; always 1.",
            by: ["id", "name", "format"],
            camera.map { camera in
                let format = frame.map { "\($0.format) \($0.width)x\($0.height)" } ?? ""
                return [.init([camera.id, camera.name, format], 1)]
            } ?? [])
        metrics.write(
            "swatchcam_camera_state", .gauge, "1 for the state of the newest reading, 0 for all others.", by: ["state"],
            State.allCases.map { .init([$0.rawValue], $0 == state ? 1 : 0) })
        metrics.write(
            "swatchcam_reading_timestamp_seconds", .gauge, "The time of the newest reading, in seconds since 1970.",
            state.hasColor ? time.timeIntervalSince1970.rounded(decimals: 3) : nil)
        metrics.write(
            "swatchcam_reading_linear_ratio", .gauge, "The linear light of the newest reading, 0 to 1.",
            by: ["channel"],
            Self.channels(linear).map { .init([$0], $1?.metric(decimals: 6)) })
        metrics.write(
            "swatchcam_clipped_ratio", .gauge, "The share of pixels at an end of the range, 0 to 1.",
            by: ["channel", "end"],
            [("low", statistics?.clippedLow), ("high", statistics?.clippedHigh)].flatMap { end, shares in
                Self.channels(shares).map { .init([$0, end], $1?.metric(decimals: 6)) }
            })
        metrics.write(
            "swatchcam_noise_delta_e", .gauge, "The noise of the newest readings (CIEDE2000).",
            stability.noise?.deltaE.metric(decimals: 4))
        metrics.write(
            "swatchcam_color_temperature_kelvin", .gauge, "The correlated colour temperature of a nearly white colour.",
            color?.temperature?.kelvins.metric(decimals: 0))
        metrics.write(
            "swatchcam_target_delta_e", .gauge, "The difference of the colour from a target (CIEDE2000).",
            by: ["target"],
            judgement.entries.map { .init([$0.name], $0.verdict?.deltaE.metric(decimals: 4)) })
        writeAreas(to: &metrics)
        writeConcentrations(to: &metrics)
        writeScales(to: &metrics)
        metrics.write(
            "swatchcam_frames_total", .counter, "Frames that the camera has delivered since it was opened.",
            frame.map { _ in Double(delivered) })
        metrics.write(
            "swatchcam_frames_dropped_total", .counter,
            "Frames that were lost or not used since the camera was opened.",
            frame.map { _ in Double(dropped) })
        metrics.write(
            "swatchcam_frame_faults_total", .counter,
            "Frames that could not be used since the camera was first opened, by the kind of fault.", by: ["kind"],
            camera.map { _ in FrameFault.Kind.allCases.map { .init([$0.rawValue], Double(faults[$0])) } } ?? [])
        metrics.write(
            "swatchcam_readings_total", .counter, "Readings that were made since the program started.", Double(sequence)
        )
    }

    /// Writes what targets and lights show, of the region and of each probe.
    private func writeAreas(to metrics: inout MetricsWriter) {
        let areas =
            [("", judgement, regionState)] + probes.map { ($0.probe.name.text, $0.judgement, $0.state) }
        metrics.write(
            "swatchcam_coverage_ratio", .gauge,
            "The share of the pixels within a target, of the region or of a probe (an empty `probe` is the region).",
            by: ["probe", "target"],
            areas.flatMap { probe, judgement, _ in
                judgement.entries.map { .init([probe, $0.name], $0.coverage?.share.metric(decimals: 4)) }
            })
        metrics.write(
            "swatchcam_state", .gauge,
            "The target that has held, of the region or of a probe (an empty `probe` is the region); always 1.",
            by: ["probe", "target"],
            areas.compactMap { probe, _, state in state.map { .init([probe, $0.name], 1) } })
        let lights = probes.compactMap { color in color.light.map { (probe: color.probe.name.text, $0) } }
        metrics.write(
            "swatchcam_light_on", .gauge, "1 if a light is on, 0 if it is off; missing if that cannot be told.",
            by: ["probe"], lights.map { .init([$0], $1.on.map { $0 ? 1 : 0 }) })
        metrics.write(
            "swatchcam_light_blinking_hertz", .gauge, "How often a light goes on in a second, while it blinks.",
            by: ["probe"], lights.map { .init([$0], $1.hz?.metric(decimals: 3)) })
        metrics.write(
            "swatchcam_light_level_ratio", .gauge, "The luminance of a light above that of its surroundings, 0 to 1.",
            by: ["probe"], lights.map { .init([$0], $1.level.metric(decimals: 6)) })
    }

    private func writeScales(to metrics: inout MetricsWriter) {
        metrics.write(
            "swatchcam_scale_value", .gauge, "The value of the colour on a scale; missing if it is not on it.",
            by: ["scale", "unit"],
            scales.map { .init([$0.name.text, $0.unit], $0.found?.value?.significant) })
        metrics.write(
            "swatchcam_scale_bound", .gauge, "The ends of the interval of a value on a scale (95 %).",
            by: ["end", "scale", "unit"],
            scales.flatMap { scale -> [MetricsWriter.Series] in
                let interval = scale.found?.interval
                return [("high", interval?.upperBound), ("low", interval?.lowerBound)].map { end, bound in
                    .init([end, scale.name.text, scale.unit], bound?.significant)
                }
            })
    }

    private func writeConcentrations(to metrics: inout MetricsWriter) {
        let found = ([("", concentration)] + probes.map { ($0.probe.name.text, concentration($0)) })
            .compactMap { probe, concentration in concentration.map { (probe: probe, $0) } }
        metrics.write(
            "swatchcam_concentration", .gauge,
            "The concentration in the region, or in that of a probe (an empty `probe` is the region).",
            by: ["probe", "unit"],
            found.map { .init([$0, $1.unit], $1.value.significant) })
        metrics.write(
            "swatchcam_concentration_bound", .gauge, "The ends of the interval of a concentration (95 %).",
            by: ["end", "probe", "unit"],
            found.flatMap { probe, concentration -> [MetricsWriter.Series] in
                guard let interval = concentration.interval else { return [] }
                return [("high", interval.upperBound), ("low", interval.lowerBound)].map { end, bound in
                    .init([end, probe, concentration.unit], bound.significant)
                }
            })
        metrics.write(
            "swatchcam_concentration_flag", .gauge, "1 if a concentration has the flag, else 0.",
            by: ["flag", "probe"],
            found.flatMap { probe, concentration -> [MetricsWriter.Series] in
                Concentration.Flags.all.map { flag in
                    .init([flag.names, probe], concentration.flags.contains(flag) ? 1 : 0)
                }
            })
    }

    private static func channels<Meaning>(
        _ channels: Channels<Double, Meaning>?
    ) -> [(name: String, value: Double?)] {
        [("red", channels?.r), ("green", channels?.g), ("blue", channels?.b)]
    }
}

extension Double {
    /// The number with at most so many decimals; nil for infinities and NaN.
    fileprivate func metric(decimals: Int) -> Double? { isFinite ? rounded(decimals: decimals) : nil }
}
