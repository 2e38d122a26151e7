import Foundation
import Pixels
import Testing
import Untrusted

@testable import Configuration

@Suite("Remembered settings")
struct RememberedSettingsTests {
    private let time = "2026-11-22T12:00:00.000Z"

    private func config(_ effect: String = "none", _ region: Region = .full) -> Config {
        var config = Config()
        (config.picture.effect, config.readings.region) = (effect, region)
        return config
    }

    private let corner = Region(x: 0, y: 0, width: 0.5, height: 0.25)

    private func remembered(_ running: Config, over configured: Config = Config()) throws -> RememberedSettings {
        try #require(RememberedSettings(of: running, over: configured, since: time))
    }

    /// Decodes what a state file contains.
    private func stored(_ settings: String) throws -> RememberedSettings {
        try JSONDecoder().decode(
            RememberedSettings.self, from: Data(#"{"since":"\#(time)","settings":\#(settings)}"#.utf8))
    }

    @Test("settings as in the file are not remembered")
    func same() {
        #expect(RememberedSettings(of: config("edges", corner), over: config("edges", corner), since: time) == nil)
    }

    @Test("keys other than the effect and the region are not remembered")
    func otherKeys() {
        var running = Config()
        (running.camera.fps, running.picture.quality) = (7, 33)
        #expect(RememberedSettings(of: running, over: Config(), since: time) == nil)
    }

    @Test("the lines for the configuration file contain what differs from it, and are valid")
    func lines() throws {
        #expect(
            try remembered(config("edges", corner)).lines
                == "[readings]\nregion = [0, 0, 0.5, 0.25]\n\n[picture]\neffect = \"edges\"\n")
        #expect(try remembered(config("edges")).lines == "[picture]\neffect = \"edges\"\n")
        let document = try TOMLDocument(parsing: try remembered(config("edges", corner)).lines, file: "config.toml")
        let parsed = try ConfigSchema.decode(document, file: "config.toml", folder: "")
        #expect(parsed == config("edges", corner))
    }

    @Test("settings survive being stored")
    func roundTrip() throws {
        let third = Region(x: 1.0 / 3, y: 0.1, width: 0.2, height: 0.7)
        let data = JSONText.data(of: try remembered(config("edges", third)))
        var running = Config()
        try JSONDecoder().decode(RememberedSettings.self, from: data).apply(over: Config(), to: &running)
        #expect(running == config("edges", third))
    }

    @Test("a setting whose key was edited in the file since then is dropped, and only that one")
    func edited() throws {
        let settings = try remembered(config("edges", corner))
        var running = config("invert")
        settings.apply(over: config("invert"), to: &running)
        #expect(running == config("invert", corner))
    }

    @Test("a setting that the file has adopted is no longer remembered")
    func adopted() throws {
        let settings = try remembered(config("edges"))
        var running = config("edges")
        settings.apply(over: config("edges"), to: &running)
        #expect(RememberedSettings(of: running, over: config("edges"), since: time) == nil)
    }

    @Test("forgetting restores the values of the file, and leaves all other keys alone")
    func forget() {
        var running = config("edges", corner)
        running.camera.fps = 7
        RememberedSettings.forget(in: &running, over: config("invert"))
        var expected = config("invert")
        expected.camera.fps = 7
        #expect(running == expected)
    }

    @Test(
        "a stored setting that is not valid is dropped",
        arguments: [
            #"{"picture.effect":{"value":"egdes","configured":"none"}}"#,
            #"{"picture.effect":{"value":7,"configured":"none"}}"#,
            #"{"picture.effect":{"value":"edges","configured":"no such effect"}}"#,
            #"{"picture.effect":{"value":["edges"],"configured":"none"}}"#,
            #"{"readings.region":{"value":[0,0,2,1],"configured":[0,0,1,1]}}"#,
            #"{"readings.region":{"value":[0,0,1],"configured":[0,0,1,1]}}"#,
            #"{"readings.region":{"value":[0,0,0,0],"configured":[0,0,1,1]}}"#,
            #"{"readings.region":{"value":[1e308,0,1,1],"configured":[0,0,1,1]}}"#,
            #"{"web.token":{"value":"a-token-that-the-attacker-knows-well","configured":""}}"#,
            #"{"camera.device":{"value":"/dev/sda","configured":"auto"}}"#, "{}",
        ])
    func invalid(settings: String) throws {
        var running = Config()
        try stored(settings).apply(over: Config(), to: &running)
        #expect(running == Config())
    }

    @Test("a valid setting is applied although another one is not valid")
    func partlyValid() throws {
        let settings = try stored(
            #"{"picture.effect":{"value":"x","configured":"none"},"readings.region":{"value":[0,0,0.5,0.25],"configured":[0,0,1,1]}}"#
        )
        var running = Config()
        settings.apply(over: Config(), to: &running)
        #expect(running == config("none", corner))
    }
}
