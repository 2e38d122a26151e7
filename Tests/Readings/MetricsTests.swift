import Color
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Documents
@testable import Readings

@Suite("Metrics in Prometheus's text format")
struct MetricsTests {
    private func text(_ reading: Reading) -> String {
        var metrics = MetricsWriter()
        reading.write(to: &metrics)
        return metrics.text
    }

    private func written(_ write: (inout MetricsWriter) -> Void) -> String {
        var metrics = MetricsWriter()
        write(&metrics)
        return metrics.text
    }

    @Test("a reading with a colour has every figure, with the unit in its name, and no hexadecimal colour")
    func reading() {
        let reading = Reading.sample.with {
            ($0.delivered, $0.dropped) = (18_345, 3)
            $0.stability.noise = Reading.Noise(channels: ChannelFigures(r: 0.2, g: 0.2, b: 0.2), deltaE: 0.123456)
            $0.mean = .init(r: 250, g: 248, b: 240)
        }
        #expect(
            text(reading) == """
                # HELP swatchcam_camera_info The camera in use, or the one that Swatchcam waits for; always 1.
                # TYPE swatchcam_camera_info gauge
                swatchcam_camera_info{id="usb-046d_HD_Pro_Webcam_C920-video-index0",name="HD Pro Webcam C920",format="YUYV 640x480"} 1
                # HELP swatchcam_camera_state 1 for the state of the newest reading, 0 for all others.
                # TYPE swatchcam_camera_state gauge
                swatchcam_camera_state{state="live"} 1
                swatchcam_camera_state{state="test-pattern"} 0
                swatchcam_camera_state{state="starting"} 0
                swatchcam_camera_state{state="no-camera"} 0
                swatchcam_camera_state{state="denied"} 0
                swatchcam_camera_state{state="busy"} 0
                swatchcam_camera_state{state="no-signal"} 0
                swatchcam_camera_state{state="lost"} 0
                swatchcam_camera_state{state="unsupported"} 0
                swatchcam_camera_state{state="failed"} 0
                # HELP swatchcam_reading_timestamp_seconds The time of the newest reading, in seconds since 1970.
                # TYPE swatchcam_reading_timestamp_seconds gauge
                swatchcam_reading_timestamp_seconds 1795203000.25
                # HELP swatchcam_reading_linear_ratio The linear light of the newest reading, 0 to 1.
                # TYPE swatchcam_reading_linear_ratio gauge
                swatchcam_reading_linear_ratio{channel="red"} 0.04971
                swatchcam_reading_linear_ratio{channel="green"} 0.386661
                swatchcam_reading_linear_ratio{channel="blue"} 0.672224
                # HELP swatchcam_clipped_ratio The share of pixels at an end of the range, 0 to 1.
                # TYPE swatchcam_clipped_ratio gauge
                swatchcam_clipped_ratio{channel="red",end="low"} 0
                swatchcam_clipped_ratio{channel="green",end="low"} 0
                swatchcam_clipped_ratio{channel="blue",end="low"} 0
                swatchcam_clipped_ratio{channel="red",end="high"} 0
                swatchcam_clipped_ratio{channel="green",end="high"} 0
                swatchcam_clipped_ratio{channel="blue",end="high"} 0
                # HELP swatchcam_noise_delta_e The noise of the newest readings (CIEDE2000).
                # TYPE swatchcam_noise_delta_e gauge
                swatchcam_noise_delta_e 0.1235
                # HELP swatchcam_color_temperature_kelvin The correlated colour temperature of a nearly white colour.
                # TYPE swatchcam_color_temperature_kelvin gauge
                swatchcam_color_temperature_kelvin 6147
                # HELP swatchcam_frames_total Frames that the camera has delivered since it was opened.
                # TYPE swatchcam_frames_total counter
                swatchcam_frames_total 18345
                # HELP swatchcam_frames_dropped_total Frames that were lost or not used since the camera was opened.
                # TYPE swatchcam_frames_dropped_total counter
                swatchcam_frames_dropped_total 3
                # HELP swatchcam_frame_faults_total Frames that could not be used since the camera was first opened, by the \
                kind of fault.
                # TYPE swatchcam_frame_faults_total counter
                swatchcam_frame_faults_total{kind="size"} 0
                swatchcam_frame_faults_total{kind="color-space"} 0
                swatchcam_frame_faults_total{kind="not-jpeg"} 0
                swatchcam_frame_faults_total{kind="damaged"} 0
                swatchcam_frame_faults_total{kind="too-short"} 0
                swatchcam_frame_faults_total{kind="empty"} 0
                swatchcam_frame_faults_total{kind="flagged"} 0
                swatchcam_frame_faults_total{kind="stale"} 0
                swatchcam_frame_faults_total{kind="repeated"} 0
                # HELP swatchcam_readings_total Readings that were made since the program started.
                # TYPE swatchcam_readings_total counter
                swatchcam_readings_total 1042

                """)
    }

    @Test("without a camera, only the state and the number of readings are left")
    func noCamera() {
        let names = text(.noCamera).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.prefix { $0 != "{" && $0 != " " } }
        #expect(Set(names) == ["swatchcam_camera_state", "swatchcam_readings_total"])
        #expect(text(.noCamera).contains("swatchcam_camera_state{state=\"no-camera\"} 1\n"))
    }

    @Test("each target has the difference of the colour from it, unless there is no colour")
    func targets() {
        let oak = CIELab(lightness: 60, a: 10, b: 30)
        let targets = [ColorTarget(name: "Oak, light", color: oak), ColorTarget(name: "Pine", color: oak)]
        func lines(_ judgement: Reading.Judgement) -> [Substring] {
            text(Reading.sample.with { $0.judgement = judgement }).split(separator: "\n")
                .filter { $0.hasPrefix("swatchcam_target") }
        }
        let brighter = CIELab(lightness: 61, a: 10, b: 30)
        let difference = CIEDE2000(brighter, oak).total.rounded(decimals: 4)
        #expect(
            lines(.init(of: [brighter], against: targets) { _ in nil }) == [
                "swatchcam_target_delta_e{target=\"Oak, light\"} \(difference)",
                "swatchcam_target_delta_e{target=\"Pine\"} \(difference)",
            ])
        #expect(lines(.init(without: targets)) == [])
    }

    @Test("a figure that is not a number is left out", arguments: [nil, .nan, .infinity, -Double.infinity])
    func notANumber(value: Double?) {
        #expect(written { $0.write("a_ratio", .gauge, "Any.", value) } == "")
        let reading = Reading.sample.with { $0.linear?.g = value ?? .nan }
        let channels = text(reading).split(separator: "\n").filter { $0.hasPrefix("swatchcam_reading_linear_ratio") }
        #expect(channels.count == 2)
    }

    @Test(
        "the value of a label is escaped, sanitized and bounded",
        arguments: [
            (#"C270 "HD""#, #"C270 \"HD\""#), (#"a\n"#, #"a\\n"#), ("a\nb\r", "a\u{FFFD}b\u{FFFD}"),
            ("\u{202E}a", "\u{FFFD}a"), ("Oak, light", "Oak, light"), ("\"\u{301}", "\\\"\u{301}"),
            (String(repeating: "a", count: 101), String(repeating: "a", count: 99) + "…"),
        ])
    func labels(value: String, expected: String) {
        let text = written { $0.write("a_info", .gauge, "Any.", by: ["name"], [.init([value], 1)]) }
        #expect(text == "# HELP a_info Any.\n# TYPE a_info gauge\na_info{name=\"\(expected)\"} 1\n")
    }

    @Test("of two series with the same labels, only the first is written, because Prometheus refuses the second")
    func sameLabels() {
        let text = written {
            $0.write("a", .gauge, "Any.", by: ["name"], [.init(["\u{7}"], 1), .init(["\u{8}"], 2)])
        }
        #expect(text == "# HELP a Any.\n# TYPE a gauge\na{name=\"\u{FFFD}\"} 1\n")
    }

    @Test(
        "a number is written without loss, and a whole one without a point",
        arguments: [
            (1_795_534_547.25, "1795534547.25"), (41_000_000, "41000000"), (0.000001, "1e-06"), (-0.5, "-0.5"),
            (0x1p63, "9.223372036854776e+18"),
        ])
    func numbers(value: Double, expected: String) {
        #expect(
            written { $0.write("a", .counter, "Any.", value) } == "# HELP a Any.\n# TYPE a counter\na \(expected)\n")
    }
}
