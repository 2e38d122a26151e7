import Color
package import FoundationEssentials

/// Samples as comma-separated values (RFC 4180), one row a sample.
package struct SampleCSV {
    private static let header = [
        "id", "name", "time_iso", "state", "readings", "hex", "r", "g", "b", "red_mean", "green_mean", "blue_mean",
        "red_linear", "green_linear", "blue_linear", "L_D50", "a_D50", "b_D50", "red_error", "green_error",
        "blue_error", "error_dE00", "quality", "flags", "camera", "camera_id", "format", "width", "height",
        "region_x", "region_y", "region_width", "region_height", "controls",
    ]

    private let separator: String
    private let decimalPoint: String

    /// - Parameters:
    ///   - separator: The text between two cells.
    ///   - decimalPoint: The text between a whole number and its decimals.
    package init(separator: String = ",", decimalPoint: String = ".") {
        self.separator = separator
        self.decimalPoint = decimalPoint
    }

    /// The table of some samples in UTF-8, with its header.
    package func data(_ samples: [Sample]) -> Data {
        let rows = [Self.header] + samples.map(cells)
        return Data(rows.map { $0.joined(separator: separator) + "\r\n" }.joined().utf8)
    }

    private func cells(_ sample: Sample) -> [String] {
        let (color, lab, error) = (sample.color, sample.lab, sample.standardError)
        let flags = sample.quality?.flags.map(\.code).joined(separator: " ")
        let controls = sample.controls.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var cells = [String(sample.id), text(sample.name), sample.time.timestamp, sample.state.rawValue]
        cells += [String(sample.readings), color.hex] + [color.r, color.g, color.b].map { String($0) }
        cells += [sample.mean.r, sample.mean.g, sample.mean.b].map { number($0, 4) }
        cells += [sample.linear?.r, sample.linear?.g, sample.linear?.b].map { number($0, 6) }
        cells += [lab.lightness, lab.a, lab.b].map { number($0, 3) }
        cells += [error?.channels.r, error?.channels.g, error?.channels.b, error?.deltaE].map { number($0, 4) }
        cells += [sample.quality?.grade, flags, sample.camera?.name, sample.camera?.id, sample.frame?.format].map(text)
        cells += [sample.frame?.width, sample.frame?.height].map { $0.map { String($0) } ?? "" }
        cells += sample.region.list.map { number($0, 6) }
        return cells + [text(controls.joined(separator: " "))]
    }

    private func number(_ value: Double?, _ decimals: Int) -> String {
        let text = value?.rounded(decimals: decimals).formatted(decimals: decimals) ?? ""
        return decimalPoint == "." ? text : text.split(separator: ".").joined(separator: decimalPoint)
    }

    private func text(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return
            "\"\(text.withoutFormulas.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}

extension Sample.Setting: CustomStringConvertible {
    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}

extension String {
    /// The text with an apostrophe before every character that would begin a formula in a spreadsheet.
    ///
    /// A spreadsheet may take another separator than the file's, so that a cell can also begin inside the text (OWASP,
    /// "CSV Injection").
    package var withoutFormulas: String {
        var result = UnicodeScalarView()
        var isStart = true
        for scalar in unicodeScalars {
            if isStart, "=+-@＝＋－＠\t\r\n".unicodeScalars.contains(scalar) { result.append("'") }
            isStart = ",;|\t\r\n\"".unicodeScalars.contains(scalar) || (isStart && scalar.properties.isWhitespace)
            result.append(scalar)
        }
        return String(result)
    }
}
