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

    private let recorded: RecordedConsole

    init() throws { recorded = try RecordedConsole() }

    private func server(health: String = healthy, reading: String? = reading) throws -> CannedServer {
        var answers = ["/healthz": health]
        answers["/api/reading"] = reading
        return try CannedServer(answers)
    }

    /// Runs the command with a configuration.
    private func run(_ server: CannedServer, _ config: String = "", _ arguments: [String] = []) async throws {
        let folder = try TemporaryFolder(["config.toml": config])
        let all = ["--config", folder.path + "/config.toml", "--port", "\(server.port)"] + arguments
        try await StatusCommand.parse(all).run(on: recorded.console, clocks: .withoutLimits)
    }

    @Test("a healthy instance is reported with its newest reading")
    func healthy() async throws {
        let server = try server()
        try await run(server)
        let expected = "http://127.0.0.1:\(server.port)/: healthy\nState: live since 2026-11-20T18:40:00.000Z\n"
        #expect(recorded.output.hasPrefix(expected))
        #expect(recorded.errors.isEmpty)
    }

    @Test("with --json, only the newest reading is printed")
    func json() async throws {
        let server = try server()
        try await run(server, "", ["--json"])
        #expect(recorded.output == String(decoding: Reading.sample.json(), as: UTF8.self) + "\n")
    }

    @Test("an instance that is not healthy is reported with its reading, and the exit status is 69")
    func unhealthy() async throws {
        let server = try server(health: Self.unhealthy)
        let exit = await #expect(throws: ExitCode.self) { try await run(server) }
        #expect(exit?.rawValue == 69)
        #expect(recorded.output.hasPrefix("http://127.0.0.1:\(server.port)/: not healthy\nState: live"))
    }

    @Test("without a view token, the health alone is reported and the control token is not sent")
    func controlToken() async throws {
        let server = try server()
        try await run(server, "[web]\ntoken = \"\(Self.token)\"\n")
        #expect(recorded.output == "http://127.0.0.1:\(server.port)/: healthy\n")
        #expect(
            recorded.errors
                == "To see the reading too, set web.view_token: web.token is never sent.\n")
        #expect(server.requests.map { $0.hasPrefix("GET /healthz ") } == [true])
    }

    @Test("the view token is sent for the reading, and the control token never")
    func viewToken() async throws {
        let server = try server()
        let config = "[web]\ntoken = \"\(Self.token)\"\nview_token = \"\(Self.viewToken)\"\n"
        try await run(server, config)
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
        let server = try server(reading: refusal)
        try await run(server)
        #expect(recorded.output == "http://127.0.0.1:\(server.port)/: healthy\n")
        #expect(recorded.errors.hasPrefix(hint))
    }

    @Test("an instance that refuses the reading and is not healthy gives exit status 69")
    func refusedAndUnhealthy() async throws {
        let refusal = CannedServer.response(401, #"{"error": {"code": "no-token", "message": "Send one."}}"#)
        let server = try server(health: Self.unhealthy, reading: refusal)
        let exit = await #expect(throws: ExitCode.self) { try await run(server, "", ["--json"]) }
        #expect(exit?.rawValue == 69)
        #expect(recorded.output.contains("\"code\": \"stale\""))
    }

    @Test("a message of any length that fits into an answer does not make an instance another program")
    func longMessage() async throws {
        let message = String(repeating: "word ", count: 10_000)
        let refusal = #"{"error": {"code": "unsupported", "message": "\#(message)"}}"#
        let server = try server(health: CannedServer.response(503, refusal))
        await #expect(throws: ExitCode.self) { try await run(server) }
        #expect(recorded.output.hasPrefix("http://127.0.0.1:\(server.port)/: not healthy\n"))
    }

    /// Returns the reason of a failure with exit status 69.
    private func problem(_ server: CannedServer) async throws -> String? {
        let failure = await #expect(throws: Failure.self) { try await run(server) }
        #expect(failure?.status == .unavailable)
        return failure?.message.replacing("127.0.0.1:\(server.port): ", with: "")
    }

    @Test("an address where nothing answers, and an instance without a reading, are failures that say what to do")
    func nobody() async throws {
        let nobody = try await problem(CannedServer([:]))
        #expect(nobody == "Swatchcam does not answer. Start it with: swatchcam serve")
        #expect(try await problem(server(reading: nil)) == "Swatchcam did not answer in time. Try again.")
    }

    @Test("another program at the address is a failure with its status")
    func stranger() async throws {
        let answer = CannedServer.response(404, "<html>")
        for server in [try server(health: answer), try server(reading: answer)] {
            #expect(try await problem(server) == "another program answers there (404)")
        }
    }
}
