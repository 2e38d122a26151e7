import ArgumentParser
import Logging
import TestSupport
import Testing

@testable import Configuration
@testable import Swatchcam

@Suite("The command check")
struct CheckCommandTests {
    @Test("a correct configuration is confirmed by a message")
    func correct() throws {
        let folder = try TemporaryFolder(["config.toml": "[web]\nport = 9000\n"])
        let recorded = try RecordedConsole()
        try CheckCommand.parse(["--config", folder.path + "/config.toml"]).run(on: recorded.console)
        #expect(recorded.errors == "\(folder.path)/config.toml: no problems.\n")
        #expect(recorded.output.isEmpty)
    }

    @Test("the problems of a configuration are the data, and the exit status is 78")
    func wrong() throws {
        let folder = try TemporaryFolder(["config.toml": "[web]\nport = 0\n[log]\nlevel = \"loud\"\n"])
        let recorded = try RecordedConsole()
        let exit = #expect(throws: ExitCode.self) {
            try CheckCommand.parse(["--config", folder.path + "/config.toml"]).run(on: recorded.console)
        }
        #expect(exit?.rawValue == 78)
        let lines = recorded.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("\(folder.path)/config.toml:2:8: web.port: "))
        #expect(lines[1].hasPrefix("\(folder.path)/config.toml:4:9: log.level: "))
        #expect(recorded.errors.isEmpty)
    }

    @Test(
        "options that would change nothing are refused",
        arguments: [["--device", "test-pattern"], ["--log-level", "debug"]])
    func useless(arguments: [String]) {
        #expect(throws: (any Error).self) { try CheckCommand.parse(arguments) }
        #expect(throws: (any Error).self) { try StatusCommand.parse(arguments) }
    }

    @Test("the options of the command line change the configuration of the file")
    func resolved() throws {
        let folder = try TemporaryFolder(["config.toml": "[web]\nport = 9000\n[readings]\nrate = 2\n"])
        let options = try ConfigOptions.parse(
            ["--config", folder.path + "/config.toml", "--device", "C920", "--log-level", "debug"])
        let config = try options.resolve(address: "::1", port: "81").effective
        #expect(config.camera.device == "C920")
        #expect((config.web.address, config.web.port) == ("::1", 81))
        #expect(config.log.level == .debug)
        #expect(config.readings.rate == 2)
    }
}
