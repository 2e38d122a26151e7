import Foundation
import Pixels
import Testing
import Untrusted

@testable import Configuration
@testable import Documents

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

    /// Checks that the changes to a configuration have these lines, which mean the same, and survive being stored.
    private func expect(_ lines: String, for config: Config) throws {
        let changes = try changes(to: config)
        #expect(changes.lines == lines)
        let document = try TOMLDocument(parsing: lines, file: "config.toml")
        #expect(try ConfigSchema.decode(document, path: "/config.toml") == config)
        var settings = Settings()
        settings.recall(
            try JSONDecoder().decode(ClientChanges.self, from: JSONText.data(of: changes)), since: time)
        #expect(settings.effective == config)
        #expect(settings.clientChanges == changes)
    }

    @Test("no lines for the configuration file name a target that was deleted, even if the probe is one of the file")
    func deletedTarget() throws {
        var file = Config()
        file.targets = try ["red", "blue"].map { name in
            try Config.Target(.table(["name": .string(name), "color": .string(name)]))
        }
        file.probes = [Probe(name: "P", region: .full, targets: ["red", "blue"])]
        var effective = file
        effective.targets.removeFirst()
        let lines = try #require(ClientChanges(from: file, to: effective, since: time)).lines
        let document = try TOMLDocument(parsing: lines, file: "config.toml")
        #expect(try ConfigSchema.decode(document, path: "/config.toml").probes.map(\.targets) == [["blue"]])
    }

    @Test("the lines for the configuration file contain what differs from it; tables of one list have headings")
    func lines() throws {
        try expect(
            "[readings]\nregion = [0, 0, 0.5, 0.25]\n\n[picture]\neffect = \"edges\"\n", for: config("edges", corner))
        try expect("[picture]\neffect = \"edges\"\n", for: config("edges"))
        let third = Region(x: 1.0 / 3, y: 0.1, width: 0.2, height: 0.7)
        try expect("[readings]\nregion = [\(1.0 / 3), 0.1, 0.2, 0.7]\n", for: config("none", third))
        // Two changes in one table are under one heading, because TOML allows no second.
        var wanted = config("none", corner)
        wanted.readings.rate = 2
        try expect("[readings]\nrate = 2\nregion = [0, 0, 0.5, 0.25]\n", for: wanted)
        var targets = Config()
        targets.targets = try ["Red", "Sky \\"].map { name in
            try Config.Target(
                .table(["name": .string(name), "color": .string("hsl(200 50% 50%)"), "hue": .float(0.5)]))
        }
        try expect(
            "[[targets]]\nname = \"Red\"\ncolor = \"hsl(200 50% 50%)\"\ntolerance = 2\nhue = 0.5\n\n"
                + "[[targets]]\nname = \"Sky \\\\\"\ncolor = \"hsl(200 50% 50%)\"\ntolerance = 2\nhue = 0.5\n",
            for: targets)
        var probes = Config()
        probes.probes = [
            Probe(name: "White", region: Region(x: 0, y: 0, width: 0.1, height: 0.2), isReference: true),
            Probe(name: "A1", region: Region(x: 1.0 / 3, y: 0.5, width: 0.05, height: 0.05)),
        ]
        try expect(
            "[[probes]]\nname = \"White\"\nregion = [0, 0, 0.1, 0.2]\nreference = true\n\n"
                + "[[probes]]\nname = \"A1\"\nregion = [\(1.0 / 3), 0.5, 0.05, 0.05]\n", for: probes)
        // The last target can be deleted, although the file has some.
        var file = Settings(targets)
        file.change(at: time) { $0.targets = [] }
        #expect(file.clientChanges?.names == "targets")
        #expect(file.effective.targets.isEmpty)
    }

    @Test("a change that was edited in the file since then, or adopted, is dropped, and only that one")
    func edited() throws {
        var settings = Settings(config("invert"))
        settings.recall(try changes(to: config("edges", corner)), since: time)
        #expect(settings.effective == config("invert", corner))
        #expect(settings.clientChanges?.names == "readings.region")
        var adopted = Settings(config("edges"))
        adopted.recall(try changes(to: config("edges")), since: time)
        #expect(adopted == Settings(config("edges")))
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
