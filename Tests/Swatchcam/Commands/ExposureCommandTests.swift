import ArgumentParser
import TestSupport
import Testing

@testable import Handoff
@testable import Swatchcam

@Suite("The command exposure", .timeLimit(.minutes(20)))
struct ExposureCommandTests {
    private static let setting = CannedServer.response(202, #"{"exposure": {"phase": "setting", "step": 0}}"#)

    private let recorded: RecordedConsole
    private let folder: TemporaryFolder

    init() throws {
        recorded = try RecordedConsole()
        folder = try TemporaryFolder()
    }

    private func run(port: UInt16, config: String = "") async throws {
        try folder.write(config, to: "config.toml")
        try await ExposureCommand.parse(["--config", folder.path + "/config.toml", "--port", "\(port)"])
            .run(on: recorded.console, clocks: ManualClock().clocks)
    }

    private func failure(_ answers: [String: String], config: String = "") async throws -> Failure? {
        let server = try CannedServer(answers)
        return await #expect(throws: Failure.self) { try await run(port: server.port, config: config) }
    }

    @Test("the running instance sets the exposure; the level and the lines for config.toml are printed")
    func set() async throws {
        let server = try CannedServer([
            "/api/controls/exposure": Self.setting,
            "/api/controls": CannedServer.response(
                200,
                #"{"exposure": {"phase": "set", "level": 0.8123, "config": "[camera.controls]\nexposure = 512\n"}}"#),
        ])
        try await run(port: server.port)
        #expect(
            recorded.output == """
                # The 99th percentile of the brightest channel is 81.2 % of the range.
                [camera.controls]
                exposure = 512

                """)
        #expect(
            server.requests.map { String($0.prefix { $0 != "\r\n" }) } == [
                "POST /api/controls/exposure HTTP/1.1", "GET /api/controls HTTP/1.1",
            ])
    }

    @Test("if the level is not reached, the values that stay are printed, and the reason with exit status 69")
    func notReached() async throws {
        let document =
            #"{"exposure": {"phase": "failed", "level": 0.3, "message": "Too dark.", "config": "[camera.controls]\n"}}"#
        let failure = try await failure([
            "/api/controls/exposure": Self.setting, "/api/controls": CannedServer.response(200, document),
        ])
        #expect(failure?.status == .unavailable)
        #expect(failure?.message.hasSuffix("the exposure is not as wanted. Too dark.") == true)
        #expect(recorded.output.hasPrefix("# The 99th percentile of the brightest channel is 30.0 % of the range.\n"))
    }

    @Test("a camera without an exposure control, and a change meanwhile, are failures with the reason")
    func refused() async throws {
        let refusal = CannedServer.response(409, #"{"error": {"code": "control-refused", "message": "No control."}}"#)
        #expect(try await failure(["/api/controls/exposure": refusal])?.message.hasSuffix(": No control.") == true)
        let changed = try await failure([
            "/api/controls/exposure": Self.setting,
            "/api/controls": CannedServer.response(200, #"{"exposure": {"phase": "idle"}}"#),
        ])
        #expect(changed?.message.contains("were changed") == true)
        let gone = try await failure([
            "/api/controls/exposure": Self.setting, "/api/controls": CannedServer.response(200, #"{"exposure": null}"#),
        ])
        #expect(gone?.status == .unavailable)
    }

    @Test("no instance, and another program at its address, are failures with exit status 69")
    func unavailable() async throws {
        #expect(try await failure([:])?.message.contains("swatchcam serve") == true)
        let other = try await failure(["/api/controls/exposure": CannedServer.response(200, "[]")])
        #expect(other?.status == .unavailable)
        #expect(other?.message.contains("another program") == true)
    }

    @Test("the control token is never sent: the command says what to do, with exit status 77")
    func token() async throws {
        let configured = try await failure([:], config: "[web]\ntoken = \"tokentokentokentokentokentoken00\"\n")
        #expect(configured?.status == .noPermission)
        let refusal = CannedServer.response(401, #"{"error": {"code": "no-token", "message": "Send one."}}"#)
        let required = try await failure(["/api/controls/exposure": refusal])
        #expect(required?.status == .noPermission)
        #expect(required?.message.contains("POST http://127.0.0.1:") == true)
    }
}
