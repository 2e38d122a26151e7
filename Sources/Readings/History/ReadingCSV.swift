import Color
package import FoundationEssentials

/// Readings and their summaries as a table of comma-separated values, one row a summary.
package struct ReadingCSV: Sendable {
    private static let names = [
        "time_s", "time_iso", "n", "red_linear", "green_linear", "blue_linear", "r", "g", "b", "hex", "L_D50", "a_D50",
        "b_D50", "X", "Y", "Z", "noise_dE00", "clipped_low", "clipped_high", "out_of_gamut", "quality", "flags",
        "state", "r_min", "g_min", "b_min", "r_max", "g_max", "b_max", "L_D50_min", "L_D50_max",
    ]

    private let format: CSVFormat

    package init(_ format: CSVFormat = .standard) {
        self.format = format
    }

    /// The line with the names of the columns.
    package var header: String { format.line(Self.names.map { .word($0) }) }

    /// Returns the line of a comment.
    package func comment(_ text: String) -> String { format.comment(text) }

    /// Returns the line of a summary.
    ///
    /// The colour is that of the mean R'G'B', which has four decimals here and none in `hex`.
    /// - Parameter start: The time from which `time_s` counts.
    package func line(_ summary: ReadingSummary, since start: Date) -> String {
        let figures = summary.figures
        let (mean, least, greatest) = (figures.color.mean, figures.color.minimum, figures.color.maximum)
        let xyz = XYZ(mean)
        let lab = CIELab(xyz)
        let flags = figures.flags.codes.map(\.rawValue).joined(separator: " ")
        var cells: [CSVCell] = [.number(figures.time.timeIntervalSince(start), decimals: 3)]
        cells += [.word(figures.time.timestamp), .integer(figures.count)]
        cells += [figures.linear?.r, figures.linear?.g, figures.linear?.b].map { .number($0, decimals: 6) }
        cells += mean.values.map { .number($0, decimals: 4) }
        // Quoted, so that programs for which # begins a comment read it.
        cells.append(.text(mean.rounded.hex))
        cells += [lab.lightness, lab.a, lab.b].map { .number($0, decimals: 3) }
        cells += [xyz.x, xyz.y, xyz.z].map { .number($0, decimals: 6) }
        cells.append(.number(figures.noise, decimals: 4))
        let shares = figures.shares
        cells += [shares?.clippedLow, shares?.clippedHigh, shares?.outOfGamut].map { .number($0, decimals: 6) }
        cells += [.word(figures.grade?.rawValue), .word(flags), .word(figures.state.rawValue)]
        cells += (least.values + greatest.values).map { .number($0, decimals: 4) }
        cells += [figures.lightness.minimum, figures.lightness.maximum].map { .number($0, decimals: 3) }
        return format.line(cells)
    }
}
