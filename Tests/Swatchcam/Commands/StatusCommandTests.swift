import ArgumentParser
import TestSupport
import Testing

@testable import Readings
@testable import Swatchcam

@Suite("The command status", .timeLimit(.minutes(20)))
struct StatusCommandTests {
    private static let healthy = CannedServer.response(200, #"{"status": "ok"}"#)
    private static let unhealthy = CannedServer.response(
        503, #"{"error": {"code": "stale", "message": "The newest reading is 9.0 s old."}}"#)
    private static let reading = CannedServer.response(200, String(decoding: Reading.sample.json(), as: UTF8.self))
    private static let token = "tokentokentokentokentokentoken00"
    private static let viewToken = "viewviewviewviewviewviewviewview"

    /// Runs the command with a configuration.
    private func run(
        _ server: CannedServer, _ config: String = "", _ arguments: [String] = [], on recorded: RecordedConsole
    ) async throws {
        let folder = try TemporaryFolder(["config.toml": config])
        let all = ["--config", folder.path + "/config.toml", "--port", "\(server.port)"] + arguments
        try await StatusCommand.parse(all).run(on: recorded.console, clocks: .withoutLimits)
    }

    @Test("a healthy instance is reported with its newest reading")
    func healthy() async throws {
        let server = try CannedServer(["/healthz": Self.healthy, "/api/reading": Self.reading])
        let recorded = try RecordedConsole()
        try await run(server, on: recorded)
        let expected = "http://127.0.0.1:\(server.port)/: healthy\nState: live since 2026-11-20T18:40:00.000Z\n"
        #expect(recorded.output.hasPrefix(expected))
        #expect(recorded.errors.isEmpty)
    }

    @Test("with --json, only the newest reading is printed")
    func json() async throws {
        let server = try CannedServer(["/healthz": Self.healthy, "/api/reading": Self.reading])
        let recorded = try RecordedConsole()
        try await run(server, "", ["--json"], on: recorded)
        #expect(recorded.output == String(decoding: Reading.sample.json(), as: UTF8.self) + "\n")
    }

    @Test("an instance that is not healthy is reported with its reading, and the exit status is 69")
    func unhealthy() async throws {
        let server = try CannedServer(["/healthz": Self.unhealthy, "/api/reading": Self.reading])
        let recorded = try RecordedConsole()
        let exit = await #expect(throws: ExitCode.self) { try await run(server, on: recorded) }
        #expect(exit?.rawValue == 69)
        #expect(recorded.output.hasPrefix("http://127.0.0.1:\(server.port)/: not healthy\nState: live"))
    }

    @Test("without a view token, the health alone is reported and the control token is not sent")
    func controlToken() async throws {
        let server = try CannedServer(["/healthz": Self.healthy, "/api/reading": Self.reading])
        let recorded = try RecordedConsole()
        try await run(server, "[web]\ntoken = \"\(Self.token)\"\n", on: recorded)
        #expect(recorded.output == "http://127.0.0.1:\(server.port)/: healthy\n")
        #expect(
            recorded.errors
                == "To see the reading too, set web.view_token: web.token is never sent.\n")
        #expect(server.requests.map { $0.hasPrefix("GET /healthz ") } == [true])
    }

    @Test("the view token is sent for the reading, and the control token never")
    func viewToken() async throws {
        let server = try CannedServer(["/healthz": Self.healthy, "/api/reading": Self.reading])
        let recorded = try RecordedConsole()
        let config = "[web]\ntoken = \"\(Self.token)\"\nview_token = \"\(Self.viewToken)\"\n"
        try await run(server, config, on: recorded)
        #expect(recorded.output.contains("State: live"))
        #expect(
            server.requests.map { $0.contains("Authorization: Bearer \(Self.viewToken)\r\n") } == [false, true])
        #expect(!server.requests.contains { $0.contains(Self.token) })
    }

    @Test(
        "an instance that refuses the reading is reported with its health alone",
        arguments: [
            ("no-token", "To see the reading too, name its configuration with --config: "),
            ("wrong-token", "To see the reading too, name its configuration with --config: "),
            ("too-many-guesses", "The reading is not shown. Not now."),
        ])
    func refused(code: String, hint: String) async throws {
        let refusal = CannedServer.response(401, #"{"error": {"code": "\#(code)", "message": "Not now."}}"#)
        let server = try CannedServer(["/healthz": Self.healthy, "/api/reading": refusal])
        let recorded = try RecordedConsole()
        try await run(server, on: recorded)
        #expect(recorded.output == "http://127.0.0.1:\(server.port)/: healthy\n")
        #expect(recorded.errors.hasPrefix(hint))
    }

    @Test("an instance that refuses the reading and is not healthy gives exit status 69")
    func refusedAndUnhealthy() async throws {
        let refusal = CannedServer.response(401, #"{"error": {"code": "no-token", "message": "Send one."}}"#)
        let server = try CannedServer(["/healthz": Self.unhealthy, "/api/reading": refusal])
        let recorded = try RecordedConsole()
        let exit = await #expect(throws: ExitCode.self) { try await run(server, "", ["--json"], on: recorded) }
        #expect(exit?.rawValue == 69)
        #expect(recorded.output.contains("\"code\": \"stale\""))
    }

    @Test("a message of any length that fits into an answer does not make an instance another program")
    func longMessage() async throws {
        let message = String(repeating: "word ", count: 10_000)
        let refusal = #"{"error": {"code": "unsupported", "message": "\#(message)"}}"#
        let server = try CannedServer(["/healthz": CannedServer.response(503, refusal), "/api/reading": Self.reading])
        let recorded = try RecordedConsole()
        await #expect(throws: ExitCode.self) { try await run(server, on: recorded) }
        #expect(recorded.output.hasPrefix("http://127.0.0.1:\(server.port)/: not healthy\n"))
    }

    @Test("an address where nothing answers is a failure that says how to start Swatchcam")
    func nobody() async throws {
        let server = try CannedServer([:])
        let recorded = try RecordedConsole()
        let failure = await #expect(throws: Failure.self) { try await run(server, on: recorded) }
        #expect(failure?.status == .unavailable)
        #expect(
            failure?.message
                == "127.0.0.1:\(server.port): Swatchcam does not answer. Start it with: swatchcam serve")
    }

    @Test("an instance that reports its health but no reading is a failure that says to try again")
    func noReading() async throws {
        let server = try CannedServer(["/healthz": Self.healthy])
        let recorded = try RecordedConsole()
        let failure = await #expect(throws: Failure.self) { try await run(server, on: recorded) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "127.0.0.1:\(server.port): Swatchcam did not answer in time. Try again.")
    }

    @Test(
        "another program at the address is a failure with its status",
        arguments: ["/healthz", "/api/reading"])
    func stranger(path: String) async throws {
        var answers = ["/healthz": Self.healthy, "/api/reading": Self.reading]
        answers[path] = CannedServer.response(404, "<html>")
        let server = try CannedServer(answers)
        let recorded = try RecordedConsole()
        let failure = await #expect(throws: Failure.self) { try await run(server, on: recorded) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "127.0.0.1:\(server.port): another program answers there (404)")
    }
}
