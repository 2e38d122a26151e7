import ArgumentParser
import Capture
import Color
import Configuration
import Documents
import FoundationEssentials
import Handoff
import Logging
import Readings
import State
import Storage

/// The command `swatchcam read`, which prints readings for a script.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Print readings and exit.",
        discussion: """
            Each reading is one line with its hex, RGB, brightness and quality, or with --json the API's object. Without a \
            camera the command fails; it reads the test pattern only with --device test-pattern. With --every, \
            --duration or --csv it continues until it is interrupted, unless --count or --duration ends it.

            With --target, the mean of 16 readings, or of --count, is compared with a colour. The exit status is 0 if \
            it is within the tolerance with a confidence of 97.5 %, 1 if it is beyond it with the same confidence, and \
            2 if neither is certain; with --trigger, that of the worst verdict.

            With --scale, the value on a scale of the configuration is printed as soon as it is known, with its interval \
            of 95 %. The exit status is 1 if the colour is not on the scale, and 2 if that is not known after 32 readings.
            """)

    @OptionGroup var options: ConfigOptions

    @OptionGroup var settling: SettlingOption

    @Option(help: ArgumentHelp("The number of readings or rows, at least 1.", valueName: "n"))
    var count: Int?

    @Flag(help: "Print each reading as a JSON object on one line.")
    var json = false

    @Option(help: "Print only the colour, in this notation of CSS: hex, rgb, hsl, hwb, lab, lch, oklab or oklch.")
    var format: ReadingNotation?

    @Option(
        help: ArgumentHelp(
            "Print one reading in each period of this length, such as 1s or 10m; with --csv, the mean of all in it.",
            valueName: "time"),
        transform: Self.seconds)
    var every: Double?

    @Option(
        help: ArgumentHelp("End this long after the first reading: 90s, 10m, 2h, 1d.", valueName: "time"),
        transform: Self.seconds)
    var duration: Double?

    @Flag(help: "Print a table of comma-separated values, which grows row by row.")
    var csv = false

    @Option(
        help: ArgumentHelp("With --csv, the text between two cells: a comma, a semicolon or a tab.", valueName: "text"))
    var separator = ","

    @Option(help: ArgumentHelp("With --csv, the decimal point: a point or a comma.", valueName: "text"))
    var decimal = "."

    @Flag(help: "With --csv, begin with the camera, its format and controls, as comments.")
    var comments = false

    @Option(
        help: ArgumentHelp(
            "Compare the colour with this one, any opaque one of CSS, or with a target of the configuration.",
            valueName: "colour"))
    var target: String?

    @Option(help: ArgumentHelp("With --target, the greatest ΔE00 that passes; 2 by default.", valueName: "number"))
    var tolerance: Double?

    @Option(
        help: ArgumentHelp("Print the value of the colour on this scale of the configuration.", valueName: "name"))
    var scale: String?

    @Option(help: ArgumentHelp("With --target, - compares once for each line of standard input.", valueName: "-"))
    var trigger: String?

    static func seconds(_ text: String) throws -> Double {
        guard let seconds = Double(timeSpan: text), seconds > 0 else {
            throw ValidationError("expected a whole number and s, m, h or d, such as 90s, 10m, 2h or 1d")
        }
        return seconds
    }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count: \(count) is too few; the minimum is 1") }
        try validateTarget()
        try validateScale()
        guard [json, csv, format != nil].count(where: \.self) <= 1 else {
            throw ValidationError("--json, --csv and --format: choose one of them")
        }
        guard csv || (separator, decimal, comments) == (",", ".", false) else {
            throw ValidationError("--separator, --decimal and --comments: they need --csv")
        }
        guard tableFormat != nil else {
            throw ValidationError(
                "--separator, --decimal: the separator is a comma, a semicolon or a tab, and the decimal point a point "
                    + "or a comma, but not the same")
        }
    }

    private var tableFormat: CSVFormat? { CSVFormat(separator: separator, decimalPoint: decimal) }

    /// Prints readings until there are enough, the task is cancelled, or the reader of the output is gone.
    private static func print(
        _ updates: AsyncStream<Reading>, as lines: inout ReadingLines, with config: Config, on console: Console
    ) async throws {
        for await update in updates {
            let reading = update.asOf(.now())
            guard try reading.isUsable(with: config) else { continue }
            for output in lines.add(reading, at: .now()) {
                guard try console.write(output) else { return }
            }
            if lines.isOver { return }
        }
    }

    private var style: ReadingLines.Style {
        if csv { return .table(tableFormat ?? .standard, hasComments: comments) }
        return json ? .json : format.map { .notation($0) } ?? .line
    }

    /// The number of readings after which the command ends; nil if something else ends it.
    var limit: Int? { count ?? (every == nil && duration == nil && !csv ? 1 : nil) }

    func run() async throws {
        if target != nil || scale != nil { return try await run(on: .standard) }
        // Unless a fixed number of lines ends the command, signals are handled so that the last row is written.
        guard limit == nil || csv else { return try await run(on: .standard) }
        let signals = try Signals()
        try await run(on: .standard) { await signals.next() }
    }

    /// - Parameters:
    ///   - stop: Returns when the command is to end early; nil if nothing but its options ends it.
    ///   - nextLine: Waits for the next line of standard input; nil at its end.
    func run(
        on console: Console, until stop: (@Sendable () async -> Void)? = nil,
        nextLine: @escaping @Sendable () -> String? = { readLine() }
    ) async throws {
        let config = try options.resolve().effective
        let target = try target.map { try chosenTarget($0, in: config) }
        let scale = try scale.map { try chosenScale($0, in: config) }
        var state = try options.sharedState(config)
        state.chosenCamera = StoredValue(reading: "camera", in: StateFolder(), log: state.log)
        state.settlingTime = settling.wait
        let shared = state
        let updates = shared.readings.updates()
        let interest = shared.demand.watch()
        defer { withExtendedLifetime(interest) {} }
        // However this function ends, it first cancels the capture and waits until the camera is released.
        async let _: Void = CaptureThread.run(shared)
        if let target {
            try await judge(shared, config, against: target, on: console, nextLine: nextLine)
            return
        }
        if let scale { return try await Self.read(scale, updates, with: config, asJSON: json, on: console) }
        let lines = ReadingLines(style, count: limit, every: every, duration: duration) { reading in
            ReadingCSV.comments(version: App.version, reading: reading, controls: reading.camera?.readControls() ?? [:])
        }
        try await withThrowingTaskGroup { group in
            group.addTask {
                var lines = lines
                do {
                    try await Self.print(updates, as: &lines, with: config, on: console)
                } catch {
                    if let row = lines.finish() { _ = try console.write(row) }
                    throw error
                }
                if let row = lines.finish() { _ = try console.write(row) }
            }
            if let stop { group.addTask { await stop() } }
            try await group.next()
            group.cancelAll()
            // This waits until the last row is written.
            while try await group.next() != nil {}
        }
    }
}

extension ReadingNotation: ExpressibleByArgument {}

extension Reading {
    /// Returns whether the reading has a colour to print; false while the camera is starting, and until its colour
    /// holds.
    /// - Throws: `Failure` if the camera cannot deliver a colour.
    func isUsable(with config: Config) throws(Failure) -> Bool {
        switch state {
        case .live: return !isSettling
        case .starting: return false
        case .testPattern where config.camera.device == "test-pattern": return true
        case .testPattern:
            throw Failure(
                status: .unavailable,
                message: "No camera found. Plug one in, or read the test pattern with --device test-pattern.")
        case .denied:
            throw Failure(status: .noPermission, message: message ?? "permission denied")
        case .noCamera, .busy, .noSignal, .lost, .unsupported, .failed:
            throw Failure(status: .unavailable, message: message ?? state.rawValue)
        }
    }
}
