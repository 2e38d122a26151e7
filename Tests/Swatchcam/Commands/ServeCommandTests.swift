import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import Swatchcam

@Suite("The command serve")
struct ServeCommandTests {
    private let recorder = LogRecorder()

    private func announced(_ readings: [Reading]) async throws -> String {
        let (sources, source) = AsyncStream.makeStream(of: ServeCommand.Source?.self)
        for reading in readings { source.yield(.init(reading)) }
        source.finish()
        let recorded = try RecordedConsole()
        await ServeCommand.announceCamera(sources, on: recorded.console)
        return recorded.output
    }

    @Test("the camera is announced once, and again when it or its format changes")
    func announcements() async throws {
        let other = Reading.sample.with { $0.frame?.width = 320 }
        let output = try await announced([.sample, .sample, other, .sample])
        #expect(
            output == """
                Camera: HD Pro Webcam C920 (/dev/video0), YUYV 640x480
                Camera: HD Pro Webcam C920 (/dev/video0), YUYV 320x480
                Camera: HD Pro Webcam C920 (/dev/video0), YUYV 640x480

                """)
    }

    @Test("the test pattern, which has no node, is announced by its name; a camera without a colour is not announced")
    func noNode() async throws {
        #expect(try await announced([.sample.with { $0.state = .lost }, .sample.with { $0.frame = nil }]).isEmpty)
        let pattern = Reading.sample.with {
            ($0.state, $0.camera) = (.testPattern, .init(id: "test-pattern", name: "Test pattern"))
        }
        #expect(try await announced([pattern]) == "Camera: Test pattern, YUYV 640x480\n")
    }

    /// Returns the log lines about a configuration file with a mode.
    private func reported(_ text: String, mode: Int = 0o600) throws -> (path: String, lines: [String]) {
        let folder = try TemporaryFolder(["config.toml": text])
        let path = folder.path + "/config.toml"
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        ServeCommand.report(try Settings(explicit: path, options: .init()), to: recorder.log)
        return (path, recorder.lines)
    }

    @Test("the configuration in use is logged, or its absence")
    func configuration() throws {
        let (path, lines) = try reported("")
        #expect(lines == ["Configuration: \(path)."])
        let settings = try Settings(explicit: nil, options: .init(), candidates: [])
        try #require(settings.path == nil)
        ServeCommand.report(settings, to: recorder.log)
        #expect(recorder.lines.last == "No config.toml found: using the defaults.")
    }

    @Test(
        "a warning is logged if every user may read a token, but not for another file or mode",
        arguments: [(true, 0o644, true), (true, 0o640, false), (false, 0o644, false)])
    func secrets(hasToken: Bool, mode: Int, warns: Bool) throws {
        let token = "token = \"tokentokentokentokentokentoken00\""
        let (path, lines) = try reported("[web]\n\(hasToken ? token : "port = 9000")\n", mode: mode)
        let warning =
            "\(path) contains a token that every user of this machine can read. Run: chmod o= \(path)"
        #expect(lines.dropFirst() == (warns ? [warning] : []))
    }

    @Test("a folder of templates that cannot be used is a wrong configuration")
    func templates() throws {
        var config = Config()
        config.web.templates = "/dev/none"
        let failure = #expect(throws: Failure.self) {
            try ServeCommand.pages(Latest(Settings(config)), recorder.log)
        }
        #expect(failure?.status == .configuration)
        #expect(failure?.message.hasPrefix("/dev/none: ") == true)
    }

    @Test("the options of the command line are parsed")
    func options() throws {
        let command = try ServeCommand.parse(["--address", "::1", "--port", "0", "--config", "a.toml"])
        #expect((command.address, command.port, command.options.file.config) == ("::1", "0", "a.toml"))
    }
}
