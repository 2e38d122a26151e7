import Color
package import Documents
package import FoundationEssentials
package import Handoff

/// Turns readings into the lines that `swatchcam read` prints, as they come.
package struct ReadingLines: Sendable {
    /// The form in which readings are printed.
    package enum Style: Sendable {
        /// Hex, RGB, brightness and quality.
        case line
        case json
        case notation(ReadingNotation)
        /// A table of comma-separated values, with or without comments at its top.
        case table(CSVFormat, hasComments: Bool)
    }

    /// A piece of output.
    package enum Output: Equatable, Sendable {
        /// A line without its line break.
        case line(String)
        case json(Data)
        /// Lines of a table with their line breaks.
        case table(String)
    }

    /// Whether no further line is wanted.
    package private(set) var isOver = false
    private let style: Style
    private let period: Double?
    private let duration: Double?
    private let comments: @Sendable (Reading) -> [String]
    private var remaining: Int?
    private var rows: ReadingRows
    /// The interval of the clock in which a reading was last printed.
    private var interval: Double?
    private var end: MonotonicTime?
    /// Whether the header of the table was printed.
    private var hasHeader = false
    /// The time of the table's first row.
    private var start: Date?

    /// - Parameters:
    ///   - count: The number of lines or rows, at least 1; nil for no limit.
    ///   - period: The length of an interval of which one reading is printed or which a row averages, in seconds; nil
    ///     to print all readings.
    ///   - duration: The time from the first reading to the end, in seconds; nil for no end.
    ///   - comments: Returns the comments at the top of a table that begins with this reading.
    package init(
        _ style: Style, count: Int? = nil, every period: Double? = nil, duration: Double? = nil,
        comments: @escaping @Sendable (Reading) -> [String] = { _ in [] }
    ) {
        self.style = style
        self.period = period
        self.duration = duration
        self.comments = comments
        remaining = count
        rows = ReadingRows(every: period)
    }

    /// Adds a reading with a colour.
    /// - Returns: The output to print now.
    package mutating func add(_ reading: Reading, at now: MonotonicTime) -> [Output] {
        end = end ?? duration.map { now + $0 }
        if let end, now >= end { isOver = true }
        guard !isOver else { return [] }
        switch style {
        case .table(let format, let hasComments): return add(reading, to: ReadingCSV(format), hasComments)
        case .line: return isDue(reading) ? [.line(counted(reading.line))] : []
        case .json: return isDue(reading) ? [.json(counted(reading.json()))] : []
        case .notation(let notation):
            return isDue(reading) ? [.line(counted(reading.color(in: notation) ?? reading.state.rawValue))] : []
        }
    }

    /// Ends the output early.
    /// - Returns: The row that was not complete, if more rows were wanted.
    package mutating func finish() -> Output? {
        guard remaining != 0, case .table(let format, _) = style, let row = rows.finish() else { return nil }
        isOver = true
        return output(row, ReadingCSV(format))
    }

    private mutating func add(_ reading: Reading, to csv: ReadingCSV, _ hasComments: Bool) -> [Output] {
        var output: [Output] = []
        if !hasHeader {
            hasHeader = true
            output.append(.table((hasComments ? comments(reading) : []).map(csv.comment).joined() + csv.header))
        }
        if let row = rows.add(reading) { output.append(counted(self.output(row, csv))) }
        return output
    }

    private mutating func output(_ row: ReadingSummary, _ csv: ReadingCSV) -> Output {
        let start = self.start ?? row.time
        self.start = start
        return .table(csv.line(row, since: start))
    }

    private mutating func isDue(_ reading: Reading) -> Bool {
        guard let period else { return true }
        let interval = (reading.time.timeIntervalSince1970 / period).rounded(.down)
        defer { self.interval = interval }
        return interval != self.interval
    }

    private mutating func counted<Value>(_ value: Value) -> Value {
        remaining = remaining.map { $0 - 1 }
        if remaining == 0 { isOver = true }
        return value
    }
}

extension Reading {
    /// The reading as a line for people and shells:
    /// `#3FA7D6  R: 63 G: 167 B: 214  brightness 0.58  quality fair: noisy`.
    package var line: String {
        guard let hex, let rgb, let brightness else { return state.rawValue }
        let color = "\(hex)  R: \(rgb.r) G: \(rgb.g) B: \(rgb.b)  brightness \(brightness.formatted(decimals: 2))"
        guard let quality else { return color }
        let doubts = quality.flags.map(\.code.rawValue).joined(separator: ", ")
        return "\(color)  quality \(quality.grade.rawValue)\(doubts.isEmpty ? "" : ": \(doubts)")"
    }
}

/// The notations of CSS in which the colour of a reading can be printed.
package enum ReadingNotation: String, CaseIterable, Sendable {
    case hex, rgb, hsl, hwb, lab, lch, oklab, oklch
}

extension Reading {
    /// Returns the colour as a string which a style sheet accepts; nil if there is no colour.
    package func color(in notation: ReadingNotation) -> String? {
        switch notation {
        case .hex: hex
        case .rgb: rgb.map { "rgb(\($0.r) \($0.g) \($0.b))" }
        case .hsl: color?.css.hsl
        case .hwb: color?.css.hwb
        case .lab: color?.css.lab
        case .lch: color?.css.lch
        case .oklab: color?.css.oklab
        case .oklch: color?.css.oklch
        }
    }
}
