import ArgumentParser
import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Handoff
@testable import Readings
@testable import Storage
@testable import Swatchcam

@Suite("The command sample", .timeLimit(.minutes(20)))
struct SampleCommandTests {
    /// Returns a server that answers a request for a sample.
    private static func server(_ status: Int = 201, _ answer: String = sample) throws -> CannedServer {
        try CannedServer([
            "/healthz": CannedServer.response(200, #"{"status": "ok"}"#),
            "/api/samples": CannedServer.response(status, answer),
        ])
    }

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

    private var stateFolder: StateFolder { StateFolder(environment: ["STATE_DIRECTORY": folder.path + "/state"]) }

    private func run(port: UInt16, _ arguments: [String] = [], config: String = "") async throws {
        try folder.write(config, to: "config.toml")
        let all = ["--config", folder.path + "/config.toml", "--port", "\(port)"] + arguments
        try await SampleCommand.parse(all)
            .run(
                on: recorded.console, environment: ["STATE_DIRECTORY": folder.path + "/state"], clocks: .withoutLimits)
    }

    @Test("the running instance takes the sample, which is printed as a line")
    func running() async throws {
        let server = try Self.server()
        try await run(port: server.port, ["--name", "Leaf", "--readings", "3"])
        #expect(recorded.output == Self.line + "\n")
        #expect(recorded.errors.isEmpty)
        #expect(server.requests.last?.hasPrefix("POST /api/samples HTTP/1.1\r\n") == true)
        #expect(server.requests.last?.hasSuffix("\r\n\r\n{\"name\":\"Leaf\",\"readings\":3}") == true)
    }

    @Test("with --json, the answer of the running instance is printed")
    func json() async throws {
        let server = try Self.server()
        try await run(port: server.port, ["--json"])
        #expect(recorded.output == Self.sample + "\n")
    }

    @Test("a sample that the running instance does not keep is printed, and a failure with exit status 74")
    func notKept() async throws {
        let sample = Self.sample.replacing("null}", with: #""Samples are lost."}"#)
        let server = try Self.server(201, sample)
        let failure = await #expect(throws: Failure.self) { try await run(port: server.port) }
        #expect(recorded.output == Self.line + "\n")
        #expect(failure?.status.rawValue == 74)
        #expect(failure?.message == "Samples are lost.")
    }

    @Test("a refusal of the running instance is a failure with its reason")
    func refused() async throws {
        let server = try Self.server(409, #"{"error": {"code": "samples-full", "message": "There are too many."}}"#)
        let failure = await #expect(throws: Failure.self) { try await run(port: server.port) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "127.0.0.1:\(server.port): There are too many.")
    }

    @Test(
        "the control token is never sent: the command says what to do, with exit status 77", arguments: [true, false])
    func token(isConfigured: Bool) async throws {
        let server = try Self.server(401, #"{"error": {"code": "no-token", "message": "Send one."}}"#)
        let config = isConfigured ? "[web]\ntoken = \"tokentokentokentokentokentoken00\"\n" : ""
        let failure = await #expect(throws: Failure.self) { try await run(port: server.port, config: config) }
        #expect(failure?.status.rawValue == 77)
        #expect(failure?.message.contains("web.token is never sent") == true)
        #expect(server.requests.count == (isConfigured ? 1 : 2))
    }

    @Test("a camera for the running instance is wrong usage, and no sample is taken")
    func deviceOfTheInstance() async throws {
        let server = try Self.server()
        let failure = await #expect(throws: Failure.self) { try await run(port: server.port, ["--device", "C920"]) }
        #expect(failure?.status.rawValue == 64)
        #expect(
            failure?.message
                == "--device: Swatchcam is running at 127.0.0.1:\(server.port), and takes the sample with the camera "
                + "that it uses. Choose another camera on its page.")
        #expect(server.requests.count == 1 && recorded.output.isEmpty)
    }

    @Test("a sample with as many controls as a camera may have is printed")
    func manyControls() async throws {
        let controls = (0..<1_024).map { "\"control_\($0)\": \($0)" }.joined(separator: ", ")
        let sample = Self.sample.replacing("\"controls\": {}", with: "\"controls\": {\(controls)}")
        let server = try Self.server(201, sample)
        try await run(port: server.port)
        #expect(recorded.output == Self.line + "\n")
    }

    /// Takes a sample of the test pattern while nothing that Swatchcam would answer is at the port.
    private func runAlone(_ arguments: [String] = []) async throws {
        // Another program at the port does not matter.
        let server = try CannedServer(["/healthz": "HTTP/1.1 404 Any\r\nContent-Length: 0\r\n\r\n"])
        let all = ["--device", "test-pattern", "--readings", "2", "--name", "Chart"] + arguments
        try await run(port: server.port, all, config: "[readings]\nrate = 20\n")
    }

    @Test("if no instance is running, the command takes the sample itself and keeps it")
    func alone() async throws {
        try await runAlone()
        #expect(recorded.output.contains(/^Chart: #[0-9A-F]{6}  R: \d+ .*  2 readings/))
        #expect(recorded.errors.isEmpty)
        let kept = SampleStore(folder: stateFolder, log: .silent).list.decoded
        #expect(kept.map(\.name) == ["Chart"])
        #expect(kept.map(\.state) == [.testPattern])
    }

    @Test("a sample that the command cannot keep is printed with the reason, and a failure with exit status 74")
    func notKeptAlone() async throws {
        let other = SampleStore(folder: stateFolder, log: .silent)
        _ = await other.add {
            Sample(
                id: $0, name: "", time: .now, state: .live, readings: 1, mean: RGB(r: 1, g: 2, b: 3), region: .full)
        }
        let failure = await #expect(throws: Failure.self) { try await runAlone(["--json"]) }
        #expect(failure?.status.rawValue == 74)
        let message = "This sample is not kept. \(folder.path)/state is in use by another Swatchcam. "
        #expect(failure?.message.hasPrefix(message) == true)
        let object = try JSONSerialization.jsonObject(with: Data(recorded.output.utf8)) as? [String: Any]
        #expect(object?["problem"] as? String == failure?.message)
        #expect(object?["name"] as? String == "Chart")
        #expect(other.list.samples.count == 1)
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
