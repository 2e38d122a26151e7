import Foundation
import Pixels
import Testing
import Untrusted

@testable import Configuration

@Suite("Changes of clients")
struct ClientChangesTests {
    private let time = "2026-11-22T12:00:00.000Z"
    private let corner = Region(x: 0, y: 0, width: 0.5, height: 0.25)

    private func config(_ effect: String = "none", _ region: Region = .full) -> Config {
        var config = Config()
        (config.picture.effect, config.readings.region) = (effect, region)
        return config
    }

    private func changes(to effective: Config) throws -> ClientChanges {
        try #require(ClientChanges(from: Config(), to: effective, since: time))
    }

    /// Returns the config after a start with a file and with what a state file contains.
    private func started(_ settings: String, over file: Config = Config()) throws -> Config {
        let json = Data(#"{"since":"\#(time)","settings":\#(settings)}"#.utf8)
        var settings = Settings(file)
        settings.recall(try JSONDecoder().decode(ClientChanges.self, from: json), since: time)
        return settings.effective
    }

    @Test("settings as in the file are no changes")
    func same() {
        #expect(ClientChanges(from: config("edges", corner), to: config("edges", corner), since: time) == nil)
    }

    @Test("the lines for the configuration file contain what differs from it, and are valid")
    func lines() throws {
        #expect(
            try changes(to: config("edges", corner)).lines
                == "[readings]\nregion = [0, 0, 0.5, 0.25]\n\n[picture]\neffect = \"edges\"\n")
        #expect(try changes(to: config("edges")).lines == "[picture]\neffect = \"edges\"\n")
        let document = try TOMLDocument(parsing: try changes(to: config("edges", corner)).lines, file: "config.toml")
        let parsed = try ConfigSchema.decode(document, file: "config.toml", folder: "")
        #expect(parsed == config("edges", corner))
    }

    @Test("changes survive being stored")
    func roundTrip() throws {
        let third = Region(x: 1.0 / 3, y: 0.1, width: 0.2, height: 0.7)
        let data = JSONText.data(of: try changes(to: config("edges", third)))
        var settings = Settings()
        settings.recall(try JSONDecoder().decode(ClientChanges.self, from: data), since: time)
        #expect(settings.effective == config("edges", third))
        #expect(try settings.clientChanges == changes(to: config("edges", third)))
    }

    @Test("a change whose key was edited in the file since then is dropped, and only that one")
    func edited() throws {
        var settings = Settings(config("invert"))
        settings.recall(try changes(to: config("edges", corner)), since: time)
        #expect(settings.effective == config("invert", corner))
        #expect(settings.clientChanges?.names == "readings.region")
    }

    @Test("a change that the file has adopted is dropped")
    func adopted() throws {
        var settings = Settings(config("edges"))
        settings.recall(try changes(to: config("edges")), since: time)
        #expect(settings == Settings(config("edges")))
    }

    @Test(
        "a stored change that is not valid is dropped",
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
        #expect(try started(settings) == Config())
    }

    @Test("a valid change is applied although another one is not valid")
    func partlyValid() throws {
        let settings =
            #"{"picture.effect":{"value":"x","configured":"none"},"readings.region":{"value":[0,0,0.5,0.25],"configured":[0,0,1,1]}}"#
        #expect(try started(settings) == config("none", corner))
    }
}
