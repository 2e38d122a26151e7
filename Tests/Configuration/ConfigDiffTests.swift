import Logging
import Testing

@testable import Configuration

@Suite("Changes of a configuration")
struct ConfigDiffTests {
    private func config(_ change: (inout Config) -> Void = { _ in }) -> Config {
        var config = Config()
        change(&config)
        return config
    }

    private func diff(
        from before: Config = Config(), to after: Config, started: Config = Config(), running: Config = Config(),
        _ overrides: ConfigOverrides = ConfigOverrides()
    ) -> ConfigDiff {
        ConfigDiff(from: before, to: after, started: started, running: running, overrides: overrides)
    }

    @Test("without a change, nothing is applied or reported")
    func none() {
        let diff = diff(to: Config(), ConfigOverrides(device: "x", port: "0"))
        #expect(diff.applied.isEmpty && diff.overridden.isEmpty && diff.restart.isEmpty)
        #expect(diff.summary == nil)
        #expect(diff.restartMessage(for: Config(), started: Config()) == nil)
    }

    @Test("changed keys are applied in the order of the shipped file")
    func applied() {
        let after = config { ($0.log.level, $0.camera.fps, $0.camera.width) = (.error, 20, 320) }
        #expect(diff(to: after).applied.map(\.name) == ["camera.width", "camera.fps", "log.level"])
        #expect(diff(to: after).summary == "Applied camera.width, camera.fps, log.level.")
    }

    @Test("a key that an option overrides is reported only if it changes in the file, and never waits for a restart")
    func overridden() {
        let after = config { ($0.camera.device, $0.web.port, $0.camera.fps) = ("b", 81, 20) }
        let overrides = ConfigOverrides(device: "a", port: "80")
        let changed = diff(to: after, overrides)
        #expect(changed.overridden.map(\.option) == ["--device", "--port"])
        #expect(changed.applied.map(\.name) == ["camera.fps"])
        #expect(changed.restart.isEmpty)
        #expect(
            changed.summary
                == "Applied camera.fps. camera.device keeps the value of --device. web.port keeps the value of --port.")
        #expect(diff(from: after, to: after, overrides).overridden.isEmpty)
    }

    @Test("a key that needs a restart is compared with the start, not with the previous edit")
    func restart() {
        let edited = config { $0.web.port = 9000 }
        #expect(diff(from: edited, to: edited).restart.map(\.name) == ["web.port"])
        #expect(diff(from: edited, to: Config()).restart.isEmpty)
        #expect(diff(to: edited).applied.isEmpty)
        #expect(
            diff(to: edited).restartMessage(for: edited, started: Config())
                == "web.port: restart Swatchcam to use 9000; it still uses 8080.")
    }

    @Test("the built-in files are named in place of a folder that is omitted")
    func folders() {
        let (plain, custom) = (Config(), config { $0.web.templates = "/pages" })
        #expect(
            diff(to: custom).restartMessage(for: custom, started: plain)
                == "web.templates: restart Swatchcam to use \"/pages\"; it still uses the built-in files.")
        #expect(
            diff(to: plain, started: custom).restartMessage(for: plain, started: custom)
                == "web.templates: restart Swatchcam to use the built-in files; it still uses \"/pages\".")
    }

    @Test("removing the token waits for a restart, and its value is not shown")
    func token() {
        let secret = config { $0.web.token = Token(String(repeating: "a", count: 32)) }
        let removed = diff(from: secret, to: Config(), started: secret, running: secret)
        #expect(removed.restart.map(\.name) == ["web.token"])
        #expect(removed.applied.isEmpty)
        #expect(
            removed.restartMessage(for: Config(), started: secret)
                == "web.token: restart Swatchcam to use the new value.")
        let added = diff(to: secret)
        #expect(added.applied.map(\.name) == ["web.token"])
        #expect(added.restart.isEmpty)
    }

    @Test("several keys that wait for a restart are reported in one message")
    func several() {
        let edited = config { ($0.web.port, $0.web.localView) = (9000, true) }
        #expect(
            diff(to: edited).restartMessage(for: edited, started: Config())
                == "web.port: restart Swatchcam to use 9000; it still uses 8080. "
                + "web.local_view: restart Swatchcam to use true; it still uses false.")
    }
}
