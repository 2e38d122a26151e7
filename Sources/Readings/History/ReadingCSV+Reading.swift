import Color
import FoundationEssentials

extension ReadingCSV {
    /// Reads the rows of a table below its header.
    ///
    /// The columns may be in any order, and there may be others: the header names them. Columns whose values follow
    /// from other columns are not read. A value out of range is omitted, or the whole row if the value is required, so
    /// that nothing that a person or a damaged disk wrote can distort a mean.
    package struct Reader: Sendable {
        /// The numbers of readings that a row may average. The greatest is more than a month of readings at the highest
        /// rate.
        private static let counts = 1...1_000_000_000

        private let format: CSVFormat
        private let columns: [String: Int]
        private let width: Int

        /// - Parameter header: The line with the names of the columns. The initializer returns nil if one is missing
        ///   that every row must have.
        package init?(header: some StringProtocol, format: CSVFormat = .standard) {
            guard let names = format.cells(of: header) else { return nil }
            self.format = format
            width = names.count
            columns = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            guard ["time_iso", "n", "r", "g", "b", "state"].allSatisfy({ columns[$0] != nil }) else { return nil }
        }

        /// Reads a row; nil if it is damaged, or is not a row of readings. Because the table has no mean of L*, that of
        /// the mean colour is taken.
        package func summary(_ line: some StringProtocol) -> ReadingSummary? {
            guard let cells = format.cells(of: line), cells.count == width else { return nil }
            let row = Row(cells: cells, columns: columns, format: format)
            guard let time = Date(timestamp: row["time_iso"]), let count = Int(row["n"]), Self.counts ~= count,
                let state = Reading.State(rawValue: row["state"]), state.hasColor,
                let mean = row.color("r", "g", "b")
            else { return nil }
            let lightness = min(max(CIELab(mean).lightness, 0), 100)
            let color = ReadingSummary.MeanAndRange(
                mean: mean, minimum: mean.combined(with: row.color("r_min", "g_min", "b_min") ?? mean, by: min),
                maximum: mean.combined(with: row.color("r_max", "g_max", "b_max") ?? mean, by: max))
            return ReadingSummary(
                .init(
                    time: time, count: count, state: state, color: color,
                    lightness: .init(
                        mean: lightness, minimum: min(row.number("L_D50_min", in: 0...100) ?? lightness, lightness),
                        maximum: max(row.number("L_D50_max", in: 0...100) ?? lightness, lightness)),
                    linear: row.triple("red_linear", "green_linear", "blue_linear", in: 0...1).map(LinearRGB.init),
                    noise: row.number("noise_dE00", in: 0...1000),
                    shares: row.triple("clipped_low", "clipped_high", "out_of_gamut", in: 0...1)
                        .map(ReadingSummary.Shares.init),
                    grade: Quality.Grade(rawValue: row["quality"]),
                    flags: FlagCodes(row["flags"].split(separator: " ").compactMap { .init(rawValue: String($0)) })))
        }
    }

    /// The cells of a row by the names of their columns.
    private struct Row {
        var cells: [String]
        var columns: [String: Int]
        var format: CSVFormat

        /// The text of a cell; empty if there is no such column.
        subscript(name: String) -> String { columns[name].map { cells[$0] } ?? "" }

        func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
            format.number(self[name]).flatMap { range ~= $0 ? $0 : nil }
        }

        func triple(
            _ first: String, _ second: String, _ third: String, in range: ClosedRange<Double>
        ) -> (Double, Double, Double)? {
            guard let first = number(first, in: range), let second = number(second, in: range),
                let third = number(third, in: range)
            else { return nil }
            return (first, second, third)
        }

        func color(_ red: String, _ green: String, _ blue: String) -> RGB? {
            triple(red, green, blue, in: 0...255).map(RGB.init)
        }
    }
}
