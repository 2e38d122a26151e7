import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Readings
@testable import Swatchcam

@Suite("The command read", .timeLimit(.minutes(20)))
struct ReadCommandTests {
    @Test("a reading's line has its quality, and the reasons for any doubt")
    func quality() {
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

    @Test("a reading's line has its hex, RGB and brightness")
    func line() {
        #expect(Reading.sample.line == "#3FA7D6  R: 63 G: 167 B: 214  brightness 0.58")
    }

    @Test("a reading without a colour is its state")
    func lineWithoutColor() {
        #expect(Reading.noCamera.line == "no-camera")
    }

    @Test("at least one reading must be wanted", arguments: [0, -1])
    func tooFew(count: Int) throws {
        #expect(throws: (any Error).self) { try ReadCommand.parse(["--count=\(count)"]) }
        #expect(try ReadCommand.parse(["--count=1"]).count == 1)
        #expect(try ReadCommand.parse([]).count == 1)
    }

    @Test("a camera's reading is printed; while it starts, the command waits")
    func usable() throws {
        #expect(try Reading.sample.isUsable(with: Config()))
        #expect(try !Reading.sample.with { $0.state = .starting }.isUsable(with: Config()))
    }

    @Test("the test pattern is read only if the configuration names it")
    func testPattern() throws {
        let reading = Reading.sample.with { $0.state = .testPattern }
        var config = Config()
        config.camera.device = "test-pattern"
        #expect(try reading.isUsable(with: config))
        let failure = #expect(throws: Failure.self) { try reading.isUsable(with: Config()) }
        #expect(failure?.status == .unavailable)
        #expect(
            failure?.message == "No camera found. Plug one in, or read the test pattern with --device test-pattern.")
    }

    @Test("a camera that this user may not open is exit status 77 with the reason")
    func denied() throws {
        let reading = Reading.noCamera.with { ($0.state, $0.message) = (.denied, "Join the group.") }
        let failure = #expect(throws: Failure.self) { try reading.isUsable(with: Config()) }
        #expect(failure?.status == .noPermission)
        #expect(failure?.message == "Join the group.")
        let bare = #expect(throws: Failure.self) {
            try reading.with { $0.message = nil }.isUsable(with: Config())
        }
        #expect(bare?.message == "permission denied")
    }

    @Test(
        "every other absence of a colour is exit status 69 with the reason",
        arguments: [Reading.State.noCamera, .busy, .noSignal, .lost, .unsupported, .failed])
    func unavailable(state: Reading.State) throws {
        let reading = Reading.noCamera.with { $0.state = state }
        let failure = #expect(throws: Failure.self) { try reading.isUsable(with: Config()) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "There is no camera. Connect one.")
        let bare = #expect(throws: Failure.self) {
            try reading.with { $0.message = nil }.isUsable(with: Config())
        }
        #expect(bare?.message == state.rawValue)
    }

    @Test("the command prints as many readings of the test pattern as wanted")
    func lines() async throws {
        let recorded = try RecordedConsole()
        let folder = try TemporaryFolder(["config.toml": "[readings]\nrate = 10\n"])
        try await ReadCommand.parse(
            ["--config", folder.path + "/config.toml", "--device", "test-pattern", "--count", "2"]
        ).run(on: recorded.console)
        let lines = recorded.output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            #expect(
                line.contains(
                    /^#[0-9A-F]{6}  R: \d+ G: \d+ B: \d+  brightness \d\.\d\d  quality (good|fair|poor)/))
        }
        #expect(recorded.errors.isEmpty)
    }

    @Test("with --json, the command prints the reading as a JSON object on one line")
    func json() async throws {
        let recorded = try RecordedConsole()
        let folder = try TemporaryFolder(["config.toml": ""])
        try await ReadCommand.parse(["--config", folder.path + "/config.toml", "--device", "test-pattern", "--json"])
            .run(on: recorded.console)
        #expect(recorded.output.count(where: \.isNewline) == 1)
        let object = try JSONSerialization.jsonObject(with: Data(recorded.output.utf8)) as? [String: Any]
        #expect(object?["state"] as? String == "test-pattern")
    }
}
