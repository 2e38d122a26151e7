import Logging
import Pixels
import Testing

@testable import Configuration

@Suite("Layers of settings")
struct SettingsTests {
    private let corner = Region(x: 0, y: 0, width: 0.5, height: 0.25)

    private func config(_ change: (inout Config) -> Void = { _ in }) -> Config {
        var config = Config()
        change(&config)
        return config
    }

    /// Returns the settings at the start of the program.
    private func settings(_ file: Config, _ options: ConfigOverrides) throws -> Settings {
        var settings = Settings(file)
        (settings.options, settings.effective) = (options, try options.apply(to: file))
        return settings
    }

    /// Returns settings whose file was edited once.
    private func edited(
        from before: Config = Config(), to after: Config, _ options: ConfigOverrides = ConfigOverrides()
    ) throws -> Settings {
        var settings = try self.settings(before, options)
        settings.edit(to: after, path: "config.toml", text: "")
        return settings
    }

    // MARK: The file

    @Test("an edit without a change applies and reports nothing")
    func none() throws {
        let settings = try edited(to: Config(), ConfigOverrides(device: "x", port: "0"))
        #expect(settings.effective.camera.device == "x")
        #expect(settings.lastEdit?.summary == nil)
        #expect(settings.restartMessage == nil)
    }

    @Test("changed keys are applied, and named in the order of the shipped file")
    func applied() throws {
        let after = config { ($0.log.level, $0.camera.fps, $0.camera.width) = (.error, 20, 320) }
        let settings = try edited(to: after)
        #expect(settings.effective == after)
        #expect(settings.lastEdit?.summary == "Applied camera.width, camera.fps, log.level.")
    }

    @Test("two edits with the same summary differ")
    func equalSummaries() throws {
        var settings = try edited(to: config { $0.camera.fps = 20 })
        let first = settings.lastEdit
        settings.edit(to: config { $0.camera.fps = 21 }, path: "config.toml", text: "")
        #expect(settings.lastEdit?.summary == first?.summary)
        #expect(settings.lastEdit != first)
    }

    @Test("a key that an option overrides is reported only if it changes in the file, and never waits for a restart")
    func overridden() throws {
        let after = config { ($0.camera.device, $0.web.port, $0.camera.fps) = ("b", 81, 20) }
        let options = ConfigOverrides(device: "a", port: "80")
        let changed = try edited(to: after, options)
        #expect((changed.effective.camera.device, changed.effective.web.port) == ("a", 80))
        #expect(changed.restartMessage == nil)
        #expect(
            changed.lastEdit?.summary
                == "Applied camera.fps. camera.device keeps the value of --device. web.port keeps the value of --port.")
        #expect(try edited(from: after, to: after, options).lastEdit?.summary == nil)
    }

    @Test("a key that needs a restart is compared with the start, not with the previous edit")
    func restart() throws {
        let after = config { $0.web.port = 9000 }
        var settings = try edited(to: after)
        let message = "web.port: restart Swatchcam to use 9000; it still uses 8080."
        #expect(settings.effective.web.port == 8080)
        #expect((settings.lastEdit?.summary, settings.restartMessage) == (nil, message))
        settings.edit(to: after, path: "config.toml", text: "# a remark")
        #expect(settings.restartMessage == message)
        settings.edit(to: Config(), path: "config.toml", text: "")
        #expect(settings.restartMessage == nil)
    }

    @Test("several keys are reported in one message, with the built-in files in place of a folder that is omitted")
    func folders() throws {
        let (plain, custom) = (Config(), config { $0.web.templates = "/pages" })
        #expect(
            try edited(to: config { ($0.web.templates, $0.web.localView) = ("/pages", true) }).restartMessage
                == "web.local_view: restart Swatchcam to use true; it still uses false. "
                + "web.templates: restart Swatchcam to use \"/pages\"; it still uses the built-in files.")
        #expect(
            try edited(from: custom, to: plain).restartMessage
                == "web.templates: restart Swatchcam to use the built-in files; it still uses \"/pages\".")
    }

    @Test("removing the token waits for a restart, and its value is not shown")
    func token() throws {
        let secret = config { $0.web.token = Token(String(repeating: "a", count: 32)) }
        let removed = try edited(from: secret, to: Config())
        #expect(removed.effective == secret)
        #expect(removed.lastEdit?.summary == nil)
        #expect(removed.restartMessage == "web.token: restart Swatchcam to use the new value.")
        let added = try edited(to: secret)
        #expect(added.effective == secret)
        #expect((added.lastEdit?.summary, added.restartMessage) == ("Applied web.token.", nil))
    }

    // MARK: Clients

    @Test("clients change only the effect and the region")
    func otherKeys() {
        var settings = Settings()
        settings.change(at: "") { ($0.camera.fps, $0.picture.quality) = (7, 33) }
        #expect(settings == Settings())
    }

    @Test("an edit removes a client's change to the edited key only, and keeps the time of the other one")
    func editOverChange() {
        var settings = Settings()
        settings.change(at: "then") { ($0.picture.effect, $0.readings.region) = ("edges", corner) }
        settings.edit(to: config { $0.picture.effect = "invert" }, path: "config.toml", text: "")
        #expect(settings.effective == config { ($0.picture.effect, $0.readings.region) = ("invert", corner) })
        #expect(settings.clientChanges?.names == "readings.region")
        #expect(settings.clientChanges?.since == "then")
        // An edit to the value that a client has set leaves no change.
        settings.edit(to: settings.effective, path: "config.toml", text: "")
        #expect(settings.clientChanges == nil)
    }

    @Test("the time of the changes is that of the last one that has changed anything")
    func time() {
        var settings = Settings()
        settings.change(at: "first") { $0.picture.effect = "edges" }
        settings.change(at: "second") { $0.picture.effect = "edges" }
        #expect(settings.clientChanges?.since == "first")
        settings.change(at: "third") { $0.picture.effect = "invert" }
        #expect(settings.clientChanges?.since == "third")
    }

    @Test("forgetting restores the values of the file, and leaves all other keys alone")
    func forget() throws {
        var settings = try self.settings(config { $0.picture.effect = "invert" }, ConfigOverrides(device: "x"))
        let start = settings
        settings.change(at: "") { ($0.picture.effect, $0.readings.region) = ("edges", corner) }
        settings.forgetChanges()
        #expect(settings == start)
    }
}
