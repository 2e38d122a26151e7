import Foundation
import Glibc
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Swatchcam

@Suite("The built program", .timeLimit(.minutes(20)))
struct BuiltProgramTests {
    private static let serve = ["serve", "--config", "config.toml", "--device", "test-pattern", "--port", "0"]

    @Test("the version is printed, and the exit status is 0; wrong usage is reported with 64")
    func version() async throws {
        let program = try BuiltProgram(["--version"])
        #expect(await program.status() == 0)
        #expect(program.output == "\(App.version)\n")
        let wrong = try BuiltProgram(["--colour"])
        #expect(await wrong.status() == 64)
        #expect(wrong.errors.contains("--colour"))
    }

    @Test(
        "a wrong configuration is reported, by check as data, and the exit status is 78",
        arguments: ["serve", "read", "status", "check"])
    func configuration(command: String) async throws {
        let program = try BuiltProgram([command, "--config", "config.toml"], config: "camera.fps = 0")
        #expect(await program.status() == 78)
        let problem = "\(program.config):1:14: camera.fps: 0 is out of range 1...240\n"
        #expect(program.errors == (command == "check" ? "" : problem))
        #expect(program.output == (command == "check" ? problem : ""))
    }

    @Test("readings of the test pattern are printed, one a line")
    func read() async throws {
        let program = try BuiltProgram(["read", "--config", "config.toml", "--device", "test-pattern", "--count", "2"])
        #expect(await program.status() == 0)
        let lines = program.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.allSatisfy {
                $0.wholeMatch(of: /#[0-9A-F]{6}  R: \d+ G: \d+ B: \d+  brightness \d\.\d\d  quality [a-z:, -]+/) != nil
            })
        #expect(program.errors.isEmpty)
    }

    @Test("without the requested camera, no reading is printed, and the exit status is 69")
    func noCamera() async throws {
        let program = try BuiltProgram(["read", "--config", "config.toml", "--device", "/dev/video-none"])
        #expect(await program.status() == 69)
        #expect(program.output.isEmpty)
        #expect(program.errors.contains("/dev/video-none"))
    }

    /// Returns the port in the first line of a serving program; nil if it ended before.
    private func port(of program: BuiltProgram) async throws -> UInt16? {
        var port: UInt16?
        let pattern = /Swatchcam [0-9.]+: http:\/\/127\.0\.0\.1:(\d+)\/  \(Ctrl-C stops it\)\n/
        _ = await program.wait {
            port = program.output.prefixMatch(of: pattern).flatMap { UInt16($0.1) }
            return port != nil
        }
        return port
    }

    /// Returns the answer of a serving program.
    private func get(_ path: String, _ port: UInt16) async -> String {
        let response = await InstanceClient(Config.Web(port: port)).get(path, within: .seconds(600))
        return response.map { "\($0.status) \(String(decoding: $0.body, as: UTF8.self))" } ?? "no answer"
    }

    @Test("a signal stops the server in an orderly way, and the exit status is 0", arguments: [SIGINT, SIGTERM])
    func stop(signal: Int32) async throws {
        var (status, messages): (Int32?, [String]) = (nil, [])
        // A stop that takes more than five seconds, as it may on a very busy machine, is cut short and tried again. Any
        // other failure counts at once.
        for _ in 1...10 where status == nil || status == -signal {
            let socket = try NotificationSocket()
            let program = try BuiltProgram(Self.serve, environment: ["NOTIFY_SOCKET": socket.path])
            let port = try #require(try await port(of: program))
            #expect(await program.wait { program.output.contains("\nCamera: Test pattern, RGB3 640x480\n") })
            #expect(await get("/api/reading", port).contains(#""state":"test-pattern""#))
            let start = ContinuousClock.now
            program.send(signal)
            status = await program.status()
            if status == -signal { try #require(ContinuousClock.now - start >= .seconds(5)) }
            messages = []
            while let message = socket.receive() { messages.append(message) }
        }
        #expect(status == 0)
        #expect(messages.first == "READY=1")
        #expect(messages.last == "STOPPING=1")
    }

    @Test("a signal ends even a program that hangs: at the second one, or after a while", arguments: [SIGTERM, SIGINT])
    func hanging(signal: Int32) async throws {
        let program = try BuiltProgram(Self.serve, isBlocked: true)
        #expect(await program.wait { program.handles(SIGTERM) && program.handles(SIGINT) })
        program.send(signal)
        if signal == SIGTERM {
            #expect(await program.wait { !program.handles(SIGTERM) && !program.handles(SIGINT) })
            program.send(signal)
        }
        #expect(await program.status() == -signal)
    }

    @Test("an edited configuration takes effect, and SIGHUP does not end the program")
    func edit() async throws {
        let program = try BuiltProgram(Self.serve, config: "picture.quality = 50")
        let port = try #require(try await port(of: program))
        #expect(await get("/api/config", port).contains(#""quality":50"#))
        program.send(SIGHUP)
        try program.write(config: "picture.quality = 60")
        #expect(await program.wait { await get("/api/config", port).contains(#""quality":60"#) })
    }

    @Test("the controls and pictures of the test pattern are served")
    func parts() async throws {
        let program = try BuiltProgram(Self.serve)
        let port = try #require(try await port(of: program))
        #expect(await program.wait { await get("/api/reading", port).contains(#""state":"test-pattern""#) })
        // A picture may be late on a busy machine.
        #expect(await program.wait { await get("/snapshot.jpg", port).hasPrefix("200 ") })
        #expect(await get("/api/controls", port).hasPrefix("200 "))
        #expect(await get("/api/cameras", port).hasPrefix("200 "))
        withExtendedLifetime(program) {}
    }

    @Test("an address in use is reported, and the exit status is 69")
    func inUse() async throws {
        let server = try CannedServer([:])
        let program = try BuiltProgram(Array(Self.serve.dropLast()) + ["\(server.port)"])
        #expect(await program.status() == 69)
        #expect(program.errors.contains("127.0.0.1:\(server.port): address already in use. "))
        #expect(program.output.isEmpty)
    }

    @Test("a program that was started without its standard streams has /dev/null in their places")
    func streams() async throws {
        let socket = try NotificationSocket()
        let program = try BuiltProgram(Self.serve, environment: ["NOTIFY_SOCKET": socket.path], hasStreams: false)
        var message: String?
        _ = await program.wait {
            message = socket.receive()
            return message != nil
        }
        #expect(message == "READY=1")
        for stream in 0...2 {
            let path = "/proc/\(program.pid)/fd/\(stream)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
        }
        withExtendedLifetime(program) {}
    }
}
