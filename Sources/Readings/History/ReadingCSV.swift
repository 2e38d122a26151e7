import Color
package import Documents
package import FoundationEssentials
import Metrology
package import Untrusted

/// Readings and their summaries as a table of comma-separated values, one row a summary.
package struct ReadingCSV: Sendable {
    private let format: CSVFormat
    /// The names of the probes that have columns.
    private let probes: [Name]

    /// - Parameter probes: The names of the probes that have columns, after all others.
    package init(_ format: CSVFormat = .standard, probes: [Name] = []) {
        self.format = format
        self.probes = probes
    }

    /// The text before the first line of a table.
    package var beginning: String { format.beginning }

    /// The line with the names of the columns.
    package var header: String {
        format.line(Self.columns.flatMap(\.header) + [ProbeSums.Color].header(probes))
    }

    /// Returns the line of a comment.
    package func comment(_ text: String) -> String { format.comment(text) }

    /// Returns the line of a summary.
    ///
    /// The colour is that of the mean R'G'B', which has four decimals here and none in `hex`.
    /// - Parameter start: The time from which `time_s` counts.
    package func line(_ summary: ReadingSummary, since start: Date) -> String {
        let line = Line(summary: summary, start: start)
        return format.line(Self.columns.flatMap { $0.cells(line) } + summary.probes.colors.cells(probes))
    }
}

extension ReadingCSV {
    /// What the cells of a line are made of.
    struct Line {
        var summary: ReadingSummary
        /// The mean R'G'B'.
        let mean: RGB
        let color: Reading.ColorDetails
        /// The time from which `time_s` counts.
        let start: Date

        init(summary: ReadingSummary, start: Date) {
            (self.summary, self.start) = (summary, start)
            mean = summary.color.mean
            color = Reading.ColorDetails(mean, isDistorted: summary.flags.isColorDistorted)
        }
    }

    /// All columns but those of probes, in their order.
    static let columns: [CSVColumns<Line>] =
        [
            .init(
                "time_s", "time_iso",
                "seconds since the first row, and the time in ISO 8601: of the reading, or the start of the interval"
            ) {
                [.number($0.summary.time.timeIntervalSince($0.start), decimals: 3), .word($0.summary.time.timestamp)]
            },
            .init("n", "the number of readings") { [.integer($0.summary.count)] },
            .init("red_linear", "green_linear", "blue_linear", "mean light, 0...1") {
                CSVCell.numbers($0.summary.linear.mean, decimals: 6)
            }.reading { $1.summary.linear = .init($0.triple(in: 0...1).map(LinearRGB.init), of: $1.summary.count) },
            .init("r", "g", "b", "hex", "mean R'G'B', 0...255, with four decimals, and rounded") {
                // Quoted, so that programs for which # begins a comment read it.
                CSVCell.numbers($0.mean, decimals: 4) + [.text($0.mean.rounded.hex)]
            },
            .init("L_D50", "a_D50", "b_D50", "CIELAB (D50) of that colour") {
                [$0.color.lab.lightness, $0.color.lab.a, $0.color.lab.b].map { .number($0, decimals: 3) }
            },
            .init("X", "Y", "Z", "CIE XYZ (D65, Y = 1 for white) of that colour") {
                [$0.color.xyz.x, $0.color.xyz.y, $0.color.xyz.z].map { .number($0, decimals: 6) }
            },
            Reading.Calibrated.columns(
                "the mean colour by the [calibration](calibration.md) of the readings that have one, rounded and clamped to what sRGB"
                    + " holds, and its light, which may be outside of 0...1"
            ) { $0.summary.calibrated.map(Reading.Calibrated.init) }.reading {
                $1.summary.setCalibrated(Reading.Calibrated.light(in: $0))
            },
            .init("noise_dE00", "noise in ΔE00; for several readings, the root mean square") {
                [.number($0.summary.noise, decimals: 4)]
            }.reading {
                $1.summary.squaredNoise = .init($0.number(in: 0...1000).map { $0 * $0 }, of: $1.summary.count)
            },
            .init(
                "clipped_low", "clipped_high", "out_of_gamut",
                "mean shares of the pixels, 0...1, of the channel that is clipped most"
            ) { line in
                let shares = line.summary.shares.mean
                return [shares?.clippedLow, shares?.clippedHigh, shares?.outOfGamut].map { .number($0, decimals: 6) }
            }.reading {
                $1.summary.shares = .init($0.triple(in: 0...1).map(ReadingSummary.Shares.init), of: $1.summary.count)
            },
            .init("quality", "flags", "the worst grade, and the codes of all reasons for doubt") { line in
                let flags = line.summary.flags.codes.map(\.rawValue).joined(separator: " ")
                return [.word(line.summary.grade?.rawValue), .word(flags)]
            }.reading { cells, line in
                line.summary.grade = Quality.Grade(rawValue: cells[0])
                line.summary.flags = FlagCodes(
                    cells[1].split(separator: " ").compactMap { .init(rawValue: String($0)) })
            },
            .init("state", "`live`, or `test-pattern` if one of the readings is of the test pattern") {
                [.word($0.summary.state.rawValue)]
            },
            .init("r_min", "g_min", "b_min", "the least reading of each channel") {
                CSVCell.numbers($0.summary.color.minimum, decimals: 4)
            }.reading { cells, line in
                let least = cells.triple(in: 0...255).map(RGB.init)
                if let least { line.summary.extendColor(to: least.combined(with: line.mean, by: min)) }
            },
            .init("r_max", "g_max", "b_max", "the greatest reading of each channel") {
                CSVCell.numbers($0.summary.color.maximum, decimals: 4)
            }.reading { cells, line in
                let greatest = cells.triple(in: 0...255).map(RGB.init)
                if let greatest { line.summary.extendColor(to: greatest.combined(with: line.mean, by: max)) }
            },
            .init("L_D50_min", "L_D50_max", "the least and the greatest L* of a reading") {
                [$0.summary.lightness.minimum, $0.summary.lightness.maximum].map { .number($0, decimals: 3) }
            }.reading { cells, line in
                let lightness = line.summary.lightness
                line.summary.extendLightness(
                    to: Float(cells.number(0, in: 0...100) ?? lightness.minimum),
                    Float(cells.number(1, in: 0...100) ?? lightness.maximum))
            },
            .init(
                "target", "verdict",
                "the [target](targets.md) that the colour is taken for, or else the nearest, and the verdict on it: `pass`, `close`"
                    + " or `fail`; of several readings, the worst with its target"
            ) { [.text($0.summary.verdict.target), .word($0.summary.verdict.outcome?.rawValue)] }.reading {
                cells, line in
                line.summary.verdict = TargetVerdict(
                    target: cells[0].isEmpty ? nil : cells[0].sanitized(limit: maxName),
                    outcome: .init(rawValue: cells[1]))
            },
            Concentration.columns(
                "the mean [concentration](absorbance.md) of the readings that have one, the mean ends of their intervals of 95 %, the"
                    + " unit, and `below-detection` or `extrapolated` if that applies to any of the readings"
            ) { $0.summary.concentration }.reading { $1.summary.setConcentration(Concentration($0)) },
            .init("scales", "the mean value on each [scale](scales.md) that has one, such as `pH=6.52`") {
                [.text($0.summary.scales.map(\.cell).joined(separator: ";"))]
            }.reading { $1.summary.setScales($0[0]) },
        ] + ColorFigure.columns(in: .history) { $0.color }

    /// The longest name of a target, in scalars.
    private static let maxName = 60
}

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
        /// The columns that every row must have.
        private static let required = ["time_iso", "n", "r", "g", "b", "state"]

        private let format: CSVFormat
        /// The places of the required columns.
        private let places: [Int]
        /// The other columns that are read, with the places of their names; nil if the table has no such column.
        private let columns: [(places: [Int?], read: @Sendable (CSVValues, inout Line) -> Void)]
        private let width: Int

        /// - Parameter header: The line with the names of the columns. The initializer returns nil if one is missing
        ///   that every row must have.
        package init?(header: some StringProtocol, format: CSVFormat = .standard) {
            guard let names = format.cells(of: header) else { return nil }
            let all = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            self.format = format
            width = names.count
            places = Self.required.compactMap { all[$0] }
            guard places.count == Self.required.count else { return nil }
            columns = ReadingCSV.columns.compactMap { column in
                let places = column.names.map { all[$0] }
                return column.read.flatMap { read in places.contains { $0 != nil } ? (places, read) : nil }
            }
        }

        /// Reads a row; nil if it is damaged, or is not a row of readings. Because the table has no mean of L*, that of
        /// the mean colour is taken.
        package func summary(_ line: some StringProtocol) -> ReadingSummary? {
            guard let cells = format.cells(of: line), cells.count == width else { return nil }
            let values = places.map { cells[$0] }
            guard let time = Date(timestamp: values[0]), let count = Int(values[1]), Self.counts ~= count,
                let state = Reading.State(rawValue: values[5]), state.hasColor,
                let mean = CSVValues(Array(values[2...4]), format).triple(in: 0...255).map(RGB.init)
            else { return nil }
            let lightness = min(max(CIELab(mean).lightness, 0), 100)
            var line = Line(
                summary: ReadingSummary(time: time, count: count, state: state, mean: mean, lightness: lightness),
                start: time)
            for column in columns {
                column.read(CSVValues(column.places.map { $0.map { cells[$0] } ?? "" }, format), &line)
            }
            return line.summary
        }
    }
}

extension ReadingCSV {
    /// The longest comment, in scalars. A camera may have many controls.
    private static let maxComment = 4000

    /// Returns the comments that say what a table's figures depend on, for `comment(_:)`.
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - reading: A reading of the table, which names the camera and its format.
    ///   - controls: The values of the camera's controls by their names.
    package static func comments(
        version: String, reading: Reading, controls: [String: Sample.ControlValue]
    ) -> [String] {
        let frame = reading.frame.map { frame in
            ["\(frame.format) \(frame.width)x\(frame.height)", frame.colorimetry].compactMap(\.self)
                .joined(separator: ", ")
        }
        let region = reading.region.coordinates.map { $0.formatted(decimals: 6) }.joined(separator: " ")
        return [
            "Swatchcam \(version)",
            "camera: \(reading.camera.map { "\($0.name) (\($0.id))" } ?? "none")",
            "format: \(frame ?? "none")",
            "region (x y width height): \(region)",
            "controls: \(controls.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))",
        ].map { $0.sanitized(limit: maxComment) }
    }
}
