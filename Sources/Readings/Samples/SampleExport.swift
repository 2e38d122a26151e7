import Color
package import FoundationEssentials
import Untrusted

/// Samples as comma-separated values (RFC 4180), one row a sample.
package struct SampleCSV {
    private static let header = [
        "id", "name", "time_iso", "state", "readings", "hex", "r", "g", "b", "red_mean", "green_mean", "blue_mean",
        "red_linear", "green_linear", "blue_linear", "L_D50", "a_D50", "b_D50", "red_error", "green_error",
        "blue_error", "error_dE00", "quality", "flags", "camera", "camera_id", "format", "width", "height",
        "region_x", "region_y", "region_width", "region_height", "controls",
    ]

    private let format: CSVFormat

    package init(_ format: CSVFormat = .standard) {
        self.format = format
    }

    /// Returns the table of some samples in UTF-8, with its header.
    package func data(_ samples: [Sample]) -> Data {
        let rows = [Self.header.map { .word($0) }] + samples.map(cells)
        return Data((format.beginning + rows.map(format.line).joined()).utf8)
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
        return cells + [.text(controls.joined(separator: " "))]
    }
}

extension Sample.ControlValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}

/// Samples as a GIMP palette, which Inkscape, Krita and other programs read too.
package enum SamplePalette {
    /// The number of colours that GIMP shows side by side.
    private static let columns = 8

    /// Returns the palette of some samples in UTF-8.
    package static func data(_ samples: [Sample]) -> Data {
        let header = ["GIMP Palette", "Name: Swatchcam samples", "Columns: \(columns)", "#"]
        let lines = samples.map { sample in
            let channels = sample.color.values.map { channel in
                String(repeating: " ", count: 3 - String(channel).count) + String(channel)
            }
            // A name is one line already. It is sanitized once more, because a second line could be another colour.
            return "\(channels.joined(separator: " "))\t\(sample.name.sanitized())"
        }
        return Data((header + lines).map { $0 + "\n" }.joined().utf8)
    }
}
