import TestSupport
import Testing

@testable import Configuration

@Suite("Command-line overrides")
struct ConfigOverridesTests {
    private func lines(_ overrides: ConfigOverrides) -> [String] {
        do {
            _ = try overrides.apply(to: Config())
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("every option replaces the value of its key; port 0 is accepted")
    func everyOption() throws {
        #expect(try ConfigOverrides().apply(to: Config()) == Config())
        let overrides = ConfigOverrides(device: "/dev/video2", address: "::1", port: "0", logLevel: "debug")
        var expected = Config()
        expected.camera.device = "/dev/video2"
        expected.web.address = "::1"
        expected.web.port = 0
        expected.log = try overrides.apply(to: Config()).log
        #expect(try overrides.apply(to: Config()) == expected)
        #expect("\(expected.log.level)" == "debug")
    }

    @Test(
        "a bad port on the command line is refused",
        arguments: [
            ("70000", "--port: 70000 is out of range 1...65535"),
            ("-1", "--port: -1 is out of range 1...65535"),
            ("80.5", "--port: \"80.5\" is not a whole number in 1...65535"),
            ("", "--port: \"\" is not a whole number in 1...65535"),
            ("99999999999999999999", "--port: \"99999999999999999999\" is not a whole number in 1...65535"),
        ])
    func badPort(_ port: String, _ line: String) {
        #expect(lines(ConfigOverrides(port: port)) == [line])
    }

    @Test("all problems of the command line are reported together")
    func allProblems() {
        #expect(
            lines(ConfigOverrides(device: "", address: "[::1]", port: "x", logLevel: "warn")) == [
                "--address: \"[::1]\" is not an IPv4 or IPv6 address; write it without the brackets",
                "--device: \"\" does not name a camera; write \"auto\", \"test-pattern\", a device node, or what "
                    + "`swatchcam cameras` prints",
                "--log-level: \"warn\" is not a log level; did you mean \"warning\"?",
                "--port: \"x\" is not a whole number in 1...65535",
            ])
    }

    @Test("an address that other machines can connect to requires a token, which is reported if nothing else is wrong")
    func openAddress() throws {
        let line =
            "--address: \"0.0.0.0\" lets other machines connect, which requires web.token; `swatchcam token` prints one"
        #expect(lines(ConfigOverrides(address: "0.0.0.0")) == [line])
        #expect(
            lines(ConfigOverrides(address: "0.0.0.0", port: "x")) == [
                "--port: \"x\" is not a whole number in 1...65535"
            ])
        var config = Config()
        config.web.token = Token(String(repeating: "a", count: 32))
        #expect(try ConfigOverrides(address: "0.0.0.0").apply(to: config).web.address == "0.0.0.0")
    }

    @Test("access is not checked for an address that no option sets")
    func otherAddress() throws {
        var config = Config()
        config.web.address = "0.0.0.0"
        #expect(try ConfigOverrides(port: "81").apply(to: config).web.port == 81)
    }

    @Test("an option overrides its key, and no other key")
    func option() throws {
        func option(_ overrides: ConfigOverrides, _ path: String...) throws -> String? {
            overrides.option(over: try #require(ConfigSchema.key(at: path)))
        }
        let overrides = ConfigOverrides(device: "x", logLevel: "info")
        #expect(try option(overrides, "camera", "device") == "--device")
        #expect(try option(overrides, "log", "level") == "--log-level")
        #expect(try option(overrides, "web", "port") == nil)
        #expect(try option(overrides, "camera", "width") == nil)
        #expect(try option(ConfigOverrides(address: "::1", port: "1"), "web", "address") == "--address")
        #expect(try option(ConfigOverrides(address: "::1", port: "1"), "web", "port") == "--port")
    }

    @Test("problems of the file and of the command line are reported together")
    func fileAndOptions() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("camera.fps = 0".utf8))
        let error = #expect(throws: ConfigError.self) {
            try Settings(explicit: path, options: ConfigOverrides(port: "0x50"))
        }
        #expect(
            error?.problems.map(\.description) == [
                "\(path):1:14: camera.fps: 0 is out of range 1...240",
                "--port: \"0x50\" is not a whole number in 1...65535",
            ])
    }

    @Test("the command line overrides the file")
    func precedence() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("web = { port = 81, address = \"::1\" }".utf8))
        let settings = try Settings(explicit: path, options: ConfigOverrides(port: "82"))
        #expect(settings.path == path)
        #expect(settings.effective.web.port == 82)
        #expect(settings.effective.web.address == "::1")
    }
}
