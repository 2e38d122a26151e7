import ArgumentParser
import Capture
import Color
import Configuration
import FoundationEssentials
import Handoff
import Logging
import Readings

/// The command `swatchcam read`, which prints readings for a script.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Print readings and exit.",
        discussion: """
            Each reading is one line with its hex, RGB, brightness and quality, or with --json the API's object. Without a \
            camera the command fails; it reads the test pattern only with --device test-pattern.
            """)

    @OptionGroup var options: ConfigOptions

    @Option(help: ArgumentHelp("The number of readings, at least 1.", valueName: "n"))
    var count = 1

    @Flag(help: "Print each reading as a JSON object on one line.")
    var json = false

    func validate() throws {
        guard count >= 1 else { throw ValidationError("--count: \(count) is too few; the minimum is 1") }
    }

    func run() async throws { try await run(on: .standard) }

    func run(on console: Console) async throws {
        let config = try options.resolve().config
        let readings = Latest(Reading.none)
        let updates = readings.updates()
        // Problems with the camera are reported with the exit status, so the log only needs everything else.
        let log = Logger(level: max(config.log.level, options.logLevel == nil ? .error : .trace))
        let requests = try Failure.orValue(CameraRequests.init)
        let capture = Task {
            await CaptureThread.run(
                CaptureContext(
                    config: Latest(config), readings: readings, directory: CameraDirectory(log: log),
                    requests: requests, stateFile: StateFile(), log: log))
        }
        defer { capture.cancel() }
        var left = count
        for await reading in updates {
            guard try reading.isUsable(with: config) else { continue }
            if json { try console.write(json: reading.json()) } else { try console.write(reading.line) }
            left -= 1
            if left == 0 { break }
        }
        capture.cancel()
        // The camera is released before the program exits.
        _ = await capture.result
    }
}

extension Reading {
    /// Returns whether it has a colour to print; false while the camera is starting.
    /// - Throws: `Failure` if no reading will have a colour.
    func isUsable(with config: Config) throws(Failure) -> Bool {
        switch state {
        case .live: return true
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

    /// The reading as a line for people and shells:
    /// `#3FA7D6  R: 63 G: 167 B: 214  brightness 0.58  quality fair: noisy`.
    var line: String {
        guard let hex, let rgb, let brightness else { return state.rawValue }
        let color = "\(hex)  R: \(rgb.r) G: \(rgb.g) B: \(rgb.b)  brightness \(brightness.formatted(decimals: 2))"
        guard let quality else { return color }
        let doubts = quality.flags.map(\.code.rawValue).joined(separator: ", ")
        return "\(color)  quality \(quality.grade.rawValue)\(doubts.isEmpty ? "" : ": \(doubts)")"
    }
}
