import Color
package import FoundationEssentials
import Metrology
import Pixels
import Untrusted

/// Samples as comma-separated values (RFC 4180), one row a sample. Up to 96 probes have columns.
package struct SampleCSV {
    private static let header =
        [
            "id", "name", "time_iso", "state", "readings", "hex", "r", "g", "b", "red_mean", "green_mean", "blue_mean",
            "red_linear", "green_linear", "blue_linear", "L_D50", "a_D50", "b_D50", "red_error", "green_error",
            "blue_error", "error_dE00", "quality", "flags", "camera", "camera_id", "format", "width", "height",
            "region_x", "region_y", "region_width", "region_height", "controls", "target", "target_dE00", "verdict",
        ] + Concentration.columns

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
        var text = format.beginning + format.line(Self.header.map { .word($0) } + [ProbeSums.Color].header(names))
        for sample in samples { text += format.line(cells(sample) + sample.probes.cells(names)) }
        return Data(text.utf8)
    }

    private func cells(_ sample: Sample) -> [CSVCell] {
        let (color, lab, error) = (sample.color, sample.lab, sample.standardError)
        let flags = sample.quality?.flags.map(\.code).joined(separator: " ")
        let controls = sample.controls.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var cells: [CSVCell] = [.integer(sample.id), .text(sample.name), .word(sample.time.timestamp)]
        cells += [.word(sample.state.rawValue), .integer(sample.readings), .word(color.hex)]
        cells += color.values.map { .integer(Int($0)) }
        cells += sample.mean.values.map { .number($0, decimals: 4) }
        cells += [sample.linear?.r, sample.linear?.g, sample.linear?.b].map { .number($0, decimals: 6) }
        cells += [lab.lightness, lab.a, lab.b].map { .number($0, decimals: 3) }
        cells += [error?.channels.r, error?.channels.g, error?.channels.b, error?.deltaE].map {
            .number($0, decimals: 4)
        }
        cells += [sample.quality?.grade, flags, sample.camera?.name, sample.camera?.id].map { .text($0) }
        cells += [.text(sample.frame?.format), .integer(sample.frame?.width), .integer(sample.frame?.height)]
        cells += sample.region.coordinates.map { .number($0, decimals: 6) }
        cells.append(.text(controls.joined(separator: " ")))
        let target = sample.target
        return cells + [
            .text(target?.name), .number(target?.deltaE, decimals: 4), .word(target?.verdict?.rawValue),
        ] + Concentration.cells(sample.concentration)
    }
}
