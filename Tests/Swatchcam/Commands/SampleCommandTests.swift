import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Handoff
@testable import Readings
@testable import Swatchcam

@Suite("The command sample", .timeLimit(.minutes(20)))
struct SampleCommandTests {
    private static let healthy = CannedServer.response(200, #"{"status": "ok"}"#)
    private static let sample = """
        {"id": 7, "name": "Leaf", "time": "2026-11-20T19:30:00.250Z", "state": "live", "readings": 16, \
        "mean": {"r": 62.81, "g": 167.2, "b": 213.97}, "region": [0, 0, 1, 1], "controls": {}, "problem": null}
        """
    private static let line = "Leaf: #3FA7D6  R: 63 G: 167 B: 214  L*: 64.12 a*: -19.48 b*: -33.15  16 readings"

    private let recorded: RecordedConsole
    private let folder: TemporaryFolder

    init() throws {
        recorded = try RecordedConsole()
        folder = try TemporaryFolder()
    }

    private func run(port: UInt16, _ arguments: [String] = [], config: String = "") async throws {
        try folder.write(config, to: "config.toml")
        let all = ["--config", folder.path + "/config.toml", "--port", "\(port)"] + arguments
        try await SampleCommand.parse(all)
            .run(on: recorded.console, environment: ["STATE_DIRECTORY": folder.path + "/state"])
    }

    @Test("the running instance takes the sample, which is printed as a line")
    func running() async throws {
        let server = try CannedServer([
            "/healthz": Self.healthy, "/api/samples": CannedServer.response(201, Self.sample),
        ])
        try await run(port: server.port, ["--name", "Leaf", "--readings", "3"])
        #expect(recorded.output == Self.line + "\n")
        #expect(recorded.errors.isEmpty)
        #expect(server.requests.last?.hasPrefix("POST /api/samples HTTP/1.1\r\n") == true)
        #expect(server.requests.last?.hasSuffix("\r\n\r\n{\"name\":\"Leaf\",\"readings\":3}") == true)
    }

    @Test("with --json, the answer of the running instance is printed")
    func json() async throws {
        let server = try CannedServer([
            "/healthz": Self.healthy, "/api/samples": CannedServer.response(201, Self.sample),
        ])
        try await run(port: server.port, ["--json"])
        #expect(recorded.output == Self.sample + "\n")
    }

    @Test("the reason why a sample is not stored is printed to stderr")
    func problem() async throws {
        let sample = Self.sample.replacing("null}", with: #""Samples are lost."}"#)
        let server = try CannedServer([
            "/healthz": Self.healthy, "/api/samples": CannedServer.response(201, sample),
        ])
        try await run(port: server.port)
        #expect(recorded.output == Self.line + "\n")
        #expect(recorded.errors == "Samples are lost.\n")
    }

    @Test("a refusal of the running instance is a failure with its reason")
    func refused() async throws {
        let refusal = CannedServer.response(
            409, #"{"error": {"code": "samples-full", "message": "There are too many."}}"#)
        let server = try CannedServer(["/healthz": Self.healthy, "/api/samples": refusal])
        let failure = await #expect(throws: Failure.self) { try await run(port: server.port) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "127.0.0.1:\(server.port): There are too many.")
    }

    @Test("the control token is never sent: the command says what to do, with exit status 77")
    func token() async throws {
        let server = try CannedServer(["/healthz": Self.healthy])
        let failure = await #expect(throws: Failure.self) {
            try await run(port: server.port, config: "[web]\ntoken = \"tokentokentokentokentokentoken00\"\n")
        }
        #expect(failure?.status == .noPermission)
        #expect(failure?.message.contains("web.token is never sent") == true)
        #expect(server.requests.map { $0.hasPrefix("GET /healthz ") } == [true])
    }

    @Test("if no instance is running, the command takes the sample itself and keeps it")
    func alone() async throws {
        // Another program at the port does not matter.
        let server = try CannedServer(["/healthz": "HTTP/1.1 404 Any\r\nContent-Length: 0\r\n\r\n"])
        let arguments = ["--device", "test-pattern", "--readings", "2", "--name", "Chart"]
        try await run(port: server.port, arguments, config: "[readings]\nrate = 20\n")
        #expect(recorded.output.contains(/^Chart: #[0-9A-F]{6}  R: \d+ .*  2 readings/))
        #expect(recorded.errors.isEmpty)
        let kept = SampleStore(folder: StateFolder(folder.path + "/state"), log: .silent).samples
        #expect(kept.map(\.name) == ["Chart"])
        #expect(kept.first?.state == .testPattern)
    }

    @Test("a number of readings or a name that no sample may have is wrong usage")
    func usage() throws {
        for arguments in [
            ["--readings", "0"], ["--readings", "257"], ["--name", String(repeating: "x", count: 101)],
        ] {
            #expect(throws: (any Error).self) { try SampleCommand.parse(arguments) }
        }
        #expect(try SampleCommand.parse([]).readings == 16)
        #expect(try SampleCommand.parse(["--readings", "256"]).readings == 256)
    }
}
