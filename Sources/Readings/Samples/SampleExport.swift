import Color
package import Documents
package import FoundationEssentials
import Metrology
import Palettes
import Pixels
import Untrusted

/// Samples as comma-separated values (RFC 4180), one row a sample. Up to 96 probes have columns.
package struct SampleCSV {
    private let format: CSVFormat

    package init(_ format: CSVFormat = .standard) {
        self.format = format
    }

    /// Returns the table of some samples in UTF-8, with its header.
    package func data(_ samples: some Sequence<Sample>) -> Data {
        var names: [Name] = []
        search: for sample in samples {
            for color in sample.probes where !names.contains(color.name) {
                names.append(color.name)
                if names.count == Probe.maxCount { break search }
            }
        }
        var text = format.beginning + format.line(Self.columns.flatMap(\.header) + [ProbeSums.Color].header(names))
        for sample in samples {
            text += format.line(Self.columns.flatMap { $0.cells(sample) } + sample.probes.cells(names))
        }
        return Data(text.utf8)
    }

    /// All columns but those of probes, in their order.
    static let columns: [CSVColumns<Sample>] =
        [
            .init(
                "id", "name", "time_iso",
                "the number and the name of the sample, and the time at which it was complete, in ISO 8601"
            ) { [.integer($0.id), .text($0.name), .word($0.time.timestamp)] },
            .init("state", "`live`, or `test-pattern`") { [.word($0.state.rawValue)] },
            .init("readings", "the number of readings that were averaged") { [.integer($0.readings)] },
            .init("hex", "r", "g", "b", "mean R'G'B', rounded") {
                [.word($0.color.hex)] + $0.color.values.map { .integer(Int($0)) }
            },
            .init("red_mean", "green_mean", "blue_mean", "the same, 0...255, with four decimals") {
                CSVCell.numbers($0.mean, decimals: 4)
            },
            .init("red_linear", "green_linear", "blue_linear", "mean light, 0...1") {
                CSVCell.numbers($0.linear, decimals: 6)
            },
            .init("L_D50", "a_D50", "b_D50", "CIELAB (D50)") { sample in
                let lab = sample.lab
                return [lab.lightness, lab.a, lab.b].map { .number($0, decimals: 3) }
            },
            Reading.Calibrated.columns(
                "the colour by the [calibration](calibration.md), rounded and clamped to what sRGB holds, and its mean light, which"
                    + " may be outside of 0...1; empty if a reading has none"
            ) { $0.calibrated },
            .init(
                "red_error", "green_error", "blue_error", "error_dE00",
                "the standard error of each channel, in code values, and of the colour, in ΔE00; empty below 8 readings"
            ) {
                CSVCell.numbers($0.standardError?.channels, decimals: 4) + [
                    .number($0.standardError?.deltaE, decimals: 4)
                ]
            },
            .init("quality", "flags", "the worst grade, and the codes of all reasons for doubt") {
                [.text($0.quality?.grade), .text($0.quality?.flags.map(\.code).joined(separator: " "))]
            },
            .init(
                "camera", "camera_id", "format", "width", "height", "the camera, and the format and size of its frames"
            ) {
                [.text($0.camera?.name), .text($0.camera?.id), .text($0.frame?.format)]
                    + [.integer($0.frame?.width), .integer($0.frame?.height)]
            },
            .init(
                "region_x", "region_y", "region_width", "region_height", "the region, in fractions of the picture"
            ) { $0.region.coordinates.map { .number($0, decimals: 6) } },
            .init("controls", "the name and value of every control") { sample in
                let controls = sample.controls.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return [.text(controls.joined(separator: " "))]
            },
            .init(
                "target", "target_dE00", "verdict",
                "the [target](targets.md) that the sample matched, or else the nearest one, with the difference in ΔE00 and the"
                    + " verdict; empty without targets"
            ) {
                [.text($0.target?.name), .number($0.target?.deltaE, decimals: 4), .word($0.target?.verdict?.rawValue)]
            },
            Concentration.columns(
                "the [concentration](absorbance.md), the ends of its interval of 95 %, the unit, and `below-detection`,"
                    + " `extrapolated` or nothing"
            ) { $0.concentration },
            .init("scales", "the value on each [scale](scales.md) that has one, such as `pH=6.52`") {
                [.text($0.scales.compactMap { ScaleSum($0)?.cell }.joined(separator: ";"))]
            },
        ] + ColorFigure.columns(in: .samples) { Reading.ColorDetails($0.mean, isDistorted: $0.isDistorted) }
}

extension Palette.Entry {
    /// The colour of a sample with its name.
    package init(_ sample: Sample) { self.init(name: sample.name, rgb: sample.mean) }
}
