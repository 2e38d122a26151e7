import ArgumentParser
import Color
import Foundation
import Metrology
import Synchronization
import TestSupport
import Testing

@testable import Configuration
@testable import Readings
@testable import Swatchcam

@Suite("The command read", .timeLimit(.minutes(20)))
struct ReadCommandTests {
    @Test("a reading's line has its colour, and its quality with the reasons for any doubt, or else its state")
    func line() {
        #expect(Reading.noCamera.line == "no-camera")
        #expect(Reading.sample.line == "#3FA7D6  R: 63 G: 167 B: 214  brightness 0.58")
        let good = Reading.sample.with { $0.quality = Quality(flags: []) }
        #expect(good.line == "#3FA7D6  R: 63 G: 167 B: 214  brightness 0.58  quality good")
        let doubtful = Reading.sample.with {
            $0.quality = Quality(flags: [
                .init(.dark, value: 0, message: ""), .init(.outOfGamut, value: 1, grade: .poor, message: ""),
            ])
        }
        #expect(
            doubtful.line == "#3FA7D6  R: 63 G: 167 B: 214  brightness 0.58  quality poor: dark, out-of-gamut")
    }

    @Test(
        "one reading is printed, unless the options ask for a series",
        arguments: [
            ([], 1), (["--count=1"], 1), (["--every=1s"], nil), (["--duration=1s"], nil), (["--csv"], nil),
            (["--csv", "--count=3"], 3),
        ])
    func limit(arguments: [String], limit: Int?) throws {
        #expect(try ReadCommand.parse(arguments).limit == limit)
    }

    @Test(
        "a time with a unit is converted to seconds",
        arguments: [("90s", 90.0), ("10m", 600), ("2h", 7200), ("1d", 86_400)])
    func time(text: String, seconds: Double) throws {
        #expect(try ReadCommand.parse(["--duration", text]).duration == seconds)
    }

    @Test(
        "times without a positive number or a unit, options that exclude each other, and verdicts without a target, are refused",
        arguments: [
            ["--every="], ["--every=1"], ["--every=s"], ["--every=1.5s"], ["--every=-1s"], ["--every=0s"],
            ["--every=1w"], ["--every=12345678s"], ["--count=0"], ["--count=-1"],
            ["--json", "--csv"], ["--json", "--format=lab"], ["--csv", "--format=lab"], ["--format=cmyk"],
            ["--separator=;"], ["--decimal=,"], ["--comments"], ["--csv", "--decimal=,"], ["--csv", "--separator=:"],
            ["--tolerance=2"], ["--trigger=-"], ["--target=red", "--csv"], ["--target=red", "--format=lab"],
            ["--target=red", "--every=1s"], ["--target=red", "--duration=1s"], ["--target=red", "--tolerance=0"],
            ["--target=red", "--tolerance=101"], ["--target=red", "--count=7"], ["--target=red", "--count=257"],
            ["--target=red", "--trigger=x"], ["--scale=pH", "--csv"], ["--scale=pH", "--target=red"],
            ["--scale=pH", "--count=8"],
        ])
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try ReadCommand.parse(arguments) }
    }

    @Test("a target is one of the configuration, or else a colour of CSS")
    func chosenTarget() throws {
        var config = Config()
        config.targets = [
            try Config.Target(
                .table(["name": .string("red"), "color": .string("#C8102E"), "tolerance": .float(3), "hue": .float(1)]))
        ]
        let target = config.targets[0].colorTarget
        #expect(try ReadCommand.parse(["--target=red"]).chosenTarget("red", in: config) == target)
        let tighter = try ReadCommand.parse(["--target=red", "--tolerance=1"]).chosenTarget("red", in: config)
        #expect(tighter.color == target.color && tighter.tolerance == Tolerance(deltaE: 1))
        let css = try ReadCommand.parse(["--target=blue"]).chosenTarget("blue", in: config)
        #expect(css.color == CIELab(RGB(r: 0, g: 0, b: 255)) && css.tolerance == Tolerance())
        let failure = #expect(throws: Failure.self) {
            try ReadCommand.parse(["--target=blau"]).chosenTarget("blau", in: config)
        }
        #expect(failure?.status == .usage)
    }

    /// Runs the command on the test pattern, and returns its exit status and what it has printed.
    private func judged(_ arguments: [String], lines: [String] = []) async throws -> (status: Int32, output: [String]) {
        let recorded = try RecordedConsole()
        // The lamp of the painted scene changes, by less than a tenth of the tolerance.
        let folder = try TemporaryFolder(["config.toml": "[readings]\nrate = 60\n"])
        let command = try ReadCommand.parse(
            ["--config", folder.path + "/config.toml", "--device", "test-pattern", "--count", "8"] + arguments)
        let rest = Mutex(lines)
        var status: Int32 = 0
        do {
            try await command.run(
                on: recorded.console, nextLine: { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
        } catch let code as ExitCode {
            status = code.rawValue
        }
        return (status, recorded.output.split(separator: "\n").map(String.init))
    }

    @Test("a colour far from the target fails with exit status 1, and one within the tolerance passes with 0")
    func verdicts() async throws {
        let fail = try await judged(["--target=#00ff00", "--tolerance=30"])
        #expect(fail.status == 1)
        #expect(fail.output.count == 1)
        #expect(fail.output.first?.hasPrefix("fail  ΔE00 ") == true)
        let pass = try await judged(["--target=grey", "--tolerance=100", "--json"])
        #expect(pass.status == 0)
        #expect(pass.output.first?.contains(#""verdict":"pass""#) == true)
    }

    @Test("with --trigger, each line of standard input gives a verdict, and the worst is the exit status")
    func trigger() async throws {
        let result = try await judged(["--target=#00ff00", "--tolerance=30", "--trigger=-"], lines: ["", "x"])
        #expect(result.output.count == 2)
        #expect(result.status == 1)
        let none = try await judged(["--target=#00ff00", "--trigger=-"])
        #expect(none.output.isEmpty)
        #expect(none.status == 0)
    }

    @Test("a camera's reading is printed once it has started; the test pattern, only if the configuration names it")
    func usable() throws {
        #expect(try Reading.sample.isUsable(with: Config()))
        #expect(try !Reading.sample.with { $0.state = .starting }.isUsable(with: Config()))
        let reading = Reading.sample.with { $0.state = .testPattern }
        var config = Config()
        config.camera.device = "test-pattern"
        #expect(try reading.isUsable(with: config))
        let failure = #expect(throws: Failure.self) { try reading.isUsable(with: Config()) }
        #expect(failure?.status == .unavailable)
        #expect(
            failure?.message == "No camera found. Plug one in, or read the test pattern with --device test-pattern.")
    }

    @Test(
        "any other absence of a colour gives exit status 69, or 77 if this user may not open the camera, with the reason",
        arguments: [Reading.State.noCamera, .busy, .noSignal, .lost, .unsupported, .failed, .denied])
    func unavailable(state: Reading.State) throws {
        let reading = Reading.noCamera.with { $0.state = state }
        let failure = #expect(throws: Failure.self) { try reading.isUsable(with: Config()) }
        #expect(failure?.status == (state == .denied ? .noPermission : .unavailable))
        #expect(failure?.message == "There is no camera. Connect one.")
        let bare = #expect(throws: Failure.self) {
            try reading.with { $0.message = nil }.isUsable(with: Config())
        }
        #expect(bare?.message == (state == .denied ? "permission denied" : state.rawValue))
    }

    /// Runs the command on the test pattern.
    private func read(
        _ arguments: [String], on console: Console, rate: Int = 20, until stop: (@Sendable () async -> Void)? = nil
    ) async throws {
        let folder = try TemporaryFolder(["config.toml": "[readings]\nrate = \(rate)\n"])
        let all = ["--config", folder.path + "/config.toml", "--device", "test-pattern"] + arguments
        try await ReadCommand.parse(all).run(on: console, until: stop)
    }

    @Test("with --json, the command prints the reading as a JSON object on one line")
    func json() async throws {
        let recorded = try RecordedConsole()
        try await read(["--json"], on: recorded.console)
        #expect(recorded.output.count(where: \.isNewline) == 1)
        let object = try JSONSerialization.jsonObject(with: Data(recorded.output.utf8)) as? [String: Any]
        #expect(object?["state"] as? String == "test-pattern")
    }

    @Test("with --csv, the command prints a table with as many rows as requested")
    func csv() async throws {
        let recorded = try RecordedConsole()
        try await read(["--csv", "--comments", "--count", "3"], on: recorded.console)
        let lines = recorded.output.split(separator: "\r\n")
        #expect(lines.prefix(2) == ["# Swatchcam \(App.version)", "# camera: Test pattern (test-pattern)"])
        let table = lines.drop { $0.hasPrefix("#") }
        #expect(table.count == 4)
        #expect(table.first?.hasPrefix("time_s,time_iso,n,") == true)
        #expect(table.last?.contains(",test-pattern,") == true)
    }

    @Test("a table that is interrupted ends with the incomplete row")
    func interrupted() async throws {
        let recorded = try RecordedConsole()
        let console = recorded.console
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let command = Task {
            try await read(["--csv", "--every", "1d"], on: console) { for await _ in stops { return } }
        }
        // The header is written with the first reading.
        await waitUntil("the table has a header") { !recorded.output.isEmpty }
        stop.yield()
        try await command.value
        #expect(recorded.output.split(separator: "\r\n").count == 2)
    }

    @Test(
        "a reader that closes the pipe ends readings of any form without an error",
        arguments: [["--csv"], ["--count", "1000000"], ["--count", "1000000", "--json"]])
    func closedPipe(options: [String]) async throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        // As the program does, and for good, because tests run at the same time: otherwise, writing would end their process.
        signal(SIGPIPE, SIG_IGN)
        try await read(options, on: Console(output: ends[1], errors: ends[1]))
    }
}
