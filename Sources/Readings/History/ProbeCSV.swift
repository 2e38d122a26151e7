import Color
package import Documents
package import FoundationEssentials
import Metrology
import Untrusted

/// The table of probes in long form: one row for each probe and interval, and one for the region if there is a target, so
/// that its columns stay while probes and targets come and go.
package struct ProbeCSV: Sendable {
    private let format: CSVFormat

    package init(_ format: CSVFormat = .standard) { self.format = format }

    /// The text before the first line of a table.
    package var beginning: String { format.beginning }

    /// The line with the names of the columns.
    package var header: String { format.line(Self.columns.flatMap(\.header)) }

    /// Returns the line of a row.
    /// - Parameter start: The time from which `time_s` counts.
    package func line(_ row: ProbeRow, since start: Date) -> String {
        format.line(Self.columns.flatMap { $0.cells(Line(row: row, start: start)) })
    }
}

extension ProbeCSV {
    /// What the cells of a line are made of.
    struct Line {
        let row: ProbeRow
        /// The time from which `time_s` counts.
        let start: Date
    }

    static let columns: [CSVColumns<Line>] = [
        .init(
            "time_s", "time_iso",
            "seconds since the first row, or since midnight in the folder, and the time in ISO 8601: the start of the "
                + "interval"
        ) {
            [.number($0.row.time.timeIntervalSince($0.start), decimals: 3), .word($0.row.time.timestamp)]
        },
        .init("probe", "the name of the probe; empty for the region") { [.text($0.row.color.name.text)] },
        .init("n", "the number of readings") { [.integer($0.row.count)] },
        .init("hex", "the mean colour, rounded") { [.text($0.row.color.mean.rounded.hex)] },
        .init("red_linear", "green_linear", "blue_linear", "mean light, 0...1") {
            CSVCell.numbers($0.row.color.linear, decimals: 6)
        },
        .init("state", "the [state](targets.md#states) in the last reading") { [.text($0.row.state)] },
        .init(
            "light", "light_hz", "light_duty",
            "of a [light](lights.md), in the last reading: `off`, `on`, `blinking` or `unknown`, and while it blinks its rate in"
                + " hertz and its duty"
        ) {
            let light = $0.row.light
            return [.word(light?.word.rawValue), .number(light?.hz, decimals: 3), .number(light?.duty, decimals: 3)]
        },
        .init("light_level", "the mean level of the light") { [.number($0.row.light?.level, decimals: 6)] },
        .init(
            "coverage",
            "the [share](targets.md#how-much-of-it-is-in-that-colour) of the pixels within each target in the last reading, such"
                + " as `Green=0.7467;Rust=0.2507`"
        ) { [.text($0.row.coverage.map(\.cell).joined(separator: ";"))] },
        Concentration.columns(
            "the mean [concentration](absorbance.md), the mean ends of its interval of 95 %, the unit, and `below-detection` or"
                + " `extrapolated` if that applies to any of the readings"
        ) { $0.row.color.concentration },
    ]
}

extension ProbeRow.Share {
    fileprivate var cell: String { NamedValue.cell(target, value.rounded(decimals: 4).formatted(decimals: 4)) }
}

/// A name and a number in a cell that has several, such as `Green=0.7467`.
enum NamedValue {
    /// The characters that divide the cell, or that a spreadsheet takes for the end of one.
    private static let dividers = "%=;,|\"".unicodeScalars
    /// The characters that begin a formula in a spreadsheet.
    private static let formulas = "+-@＝＋－＠".unicodeScalars

    /// In the name, what could be mistaken is percent-encoded, as in an address.
    static func cell(_ name: Name, _ number: String) -> String {
        var text = ""
        for (index, scalar) in name.text.unicodeScalars.enumerated() {
            if dividers.contains(scalar) || (index == 0 && formulas.contains(scalar)) {
                for byte in String(scalar).utf8 { text += "%" + byte.hexadecimal }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return "\(text)=\(number)"
    }

    /// Reads a cell of several, with semicolons between them. What is damaged is left out.
    static func values(in cell: String) -> [(name: Name, value: Double)] {
        cell.split(separator: ";").compactMap { pair in
            guard let divider = pair.lastIndex(of: "="), let value = Double(pair[pair.index(after: divider)...]),
                value.isFinite, let name = name(pair[..<divider])
            else { return nil }
            return (name, value)
        }
    }

    private static func name(_ text: Substring) -> Name? {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(validating: rest.prefix(2), as: UTF8.self), let value = UInt8(digits, radix: 16)
            else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self).map { Name($0.sanitized(limit: 60)) }
    }
}

extension UInt8 {
    /// Two digits.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}
