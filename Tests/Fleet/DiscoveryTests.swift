import Foundation
import Pixels
import TestSupport
import Testing
import Untrusted

@testable import Fleet
@testable import Readings

@Suite("Discovery by Home Assistant")
struct DiscoveryTests {
    private static let sample = Discovery(
        id: "ab12cd", name: "Bench", version: "0.9.0", page: "http://bench.local:8080/",
        cameras: ["HD Pro Webcam C920", "Test pattern"], effects: ["none", "edges", "zebra"],
        targets: ["Oak, light"], unit: "mg/L", probes: [probe("A1")], isControllable: true)

    private static func probe(_ name: Name, isLight: Bool = false, targets: [Name]? = nil) -> Probe {
        Probe(name: name, region: .full, isLight: isLight, targets: targets)
    }

    /// Whether the value of an entity is one that the broker keeps.
    private static func isKept(_ key: String) -> Bool { ["probe_a1", "state_a1"].contains(key) }

    private func json(_ discovery: Discovery, replacing previous: Data? = nil) throws -> [String: Any] {
        let message = discovery.message(replacing: previous)
        return try #require(JSONSerialization.jsonObject(with: message) as? [String: Any])
    }

    private func components(
        _ discovery: Discovery = sample, replacing previous: Data? = nil
    ) throws -> [String: [String: Any]] {
        try #require(json(discovery, replacing: previous)["cmps"] as? [String: [String: Any]])
    }

    private func with(_ change: (inout Discovery) -> Void) -> Discovery {
        var discovery = Self.sample
        change(&discovery)
        return discovery
    }

    @Test("the device has no key but these, because Home Assistant refuses a device with any other")
    func keys() throws {
        let document = try json(Self.sample)
        #expect(Set(document.keys) == ["dev", "o", "stat_t", "avty", "avty_mode", "cmps"])
        let device = try #require(document["dev"] as? [String: Any])
        #expect(Set(device.keys) == ["ids", "name", "mf", "mdl", "sw", "cu"])
        #expect(device["ids"] as? [String] == ["swatchcam_ab12cd"])
        #expect(document["o"] as? [String: String] == ["name": "Swatchcam", "sw": "0.9.0"])
        #expect(document["stat_t"] as? String == "swatchcam/ab12cd/state")
    }

    @Test("the device is there while Swatchcam is, and its values while there is a colour")
    func availability() throws {
        let document = try json(Self.sample)
        #expect(
            document["avty"] as? [[String: String]]
                == [["t": "swatchcam/ab12cd/availability"], ["t": "swatchcam/ab12cd/camera"]])
        #expect(document["avty_mode"] as? String == "all")
        let alone = try components().filter { $0.value["avty"] != nil }
        #expect(Set(alone.keys) == ["camera", "effect", "problem", "rate", "state"])
        for component in alone.values {
            #expect(component["avty"] as? [[String: String]] == [["t": "swatchcam/ab12cd/availability"]])
        }
    }

    @Test("the message describes every entity")
    func message() throws {
        try expectGolden("discovery.json", String(decoding: Self.sample.message(), as: UTF8.self))
    }

    @Test(
        "with a standard curve, the region and each probe have a concentration, with its interval and flags as attributes"
    )
    func concentrations() throws {
        let found = try components(
            with { $0.probes = ["A1", "Well 2", "well-2"].map { Self.probe($0) } })
        let region = try #require(found["concentration"])
        #expect(region["unit_of_meas"] as? String == "mg/L" && region["stat_t"] == nil)
        #expect(region["val_tpl"] as? String == "{{ (value_json.concentration or {}).value | default(none) }}")
        let probe = try #require(found["concentration_well_2"])
        #expect(probe["name"] as? String == "Well 2 concentration")
        #expect(probe["stat_t"] as? String == "swatchcam/ab12cd/probes")
        #expect(probe["json_attr_t"] as? String == "swatchcam/ab12cd/probes")
        #expect(found.keys.count { $0.hasPrefix("concentration_") } == 2)
        #expect(try components(with { $0.unit = nil })["concentration"] as? [String: String] == ["p": "sensor"])
    }

    @Test("a probe has a colour, a state if it has targets, and a light if it is on one, from a topic of its own")
    func probes() throws {
        let found = try components(
            with {
                $0.unit = nil
                $0.probes = [Self.probe("Fault LED", isLight: true), Self.probe("Wall", targets: [])]
            })
        let own = found.keys.filter { $0.hasSuffix("_fault_led") || $0.hasSuffix("_wall") }
        #expect(Set(own) == ["probe_fault_led", "state_fault_led", "light_fault_led", "probe_wall"])
        for key in own {
            let slug = key.hasSuffix("_wall") ? "wall" : "fault_led"
            #expect(found[key]?["stat_t"] as? String == "swatchcam/ab12cd/probe/\(slug)")
        }
        #expect(found["light_fault_led"]?["dev_cla"] as? String == "light")
    }

    @Test("what is said about the readings is diagnostic, and what is measured is not")
    func categories() throws {
        let diagnostic = try components().filter { $0.value["ent_cat"] as? String == "diagnostic" }
        #expect(Set(diagnostic.keys) == ["noise", "problem", "quality", "state"])
    }

    @Test("every entity has an id of its own, a suggested id with its domain, and its own quality of service")
    func identity() throws {
        for (key, component) in try components() {
            let platform = try #require(component["p"] as? String)
            #expect(component["uniq_id"] as? String == "swatchcam_ab12cd_\(key)")
            #expect(component["def_ent_id"] as? String == "\(platform).bench_\(key)")
            #expect(component["qos"] as? Int == (component["cmd_t"] == nil && !Self.isKept(key) ? 0 : 1))
        }
    }

    @Test("a sensor forgets a value that is not repeated for a minute, and only red, green and blue are disabled")
    func sensors() throws {
        for (key, component) in try components()
        where (component["p"] as? String)?.hasSuffix("sensor") == true {
            #expect(component["exp_aft"] as? Int == (Self.isKept(key) ? nil : 60))
            #expect(component["en"] as? Bool == (["red", "green", "blue"].contains(key) ? false : nil))
            #expect((component["ops"] == nil) == (component["dev_cla"] as? String != "enum"))
            #expect(component["ops"] == nil || component["unit_of_meas"] == nil && component["stat_cla"] == nil)
        }
        #expect(try components()["state"]?["ops"] as? [String] == Reading.State.allCases.map(\.rawValue))
        let hue = try #require(components()["hue"])
        #expect((hue["stat_cla"] as? String, hue["unit_of_meas"] as? String) == ("measurement_angle", "°"))
    }

    @Test("commands are offered only if they are accepted, and otherwise removed, because they may have been before")
    func control() throws {
        let commands = [
            "camera": "select", "effect": "select", "locked": "switch", "rate": "number", "sample": "button",
        ]
        for (key, component) in try components() {
            #expect(component["cmd_t"] as? String == (commands[key] == nil ? nil : "swatchcam/ab12cd/set/\(key)"))
        }
        let without = try components(with { $0.isControllable = false })
        for (key, platform) in commands { #expect(without[key] as? [String: String] == ["p": platform]) }
    }

    @Test("an entity that is gone is named, because Home Assistant keeps one that is only left out")
    func removal() throws {
        let changed = with { $0.targets = ["Pine"] }
        let after = try components(changed, replacing: Self.sample.message())
        for key in ["verdict_oak_light", "difference_oak_light"] {
            #expect(after[key] as? [String: String] == ["p": "sensor"])
        }
        #expect(after["verdict_pine"]?["name"] as? String == "Pine")
        #expect(try components(changed)["verdict_oak_light"] == nil)
        // Home Assistant may not have been there to receive the message before.
        let again = try components(changed, replacing: changed.message(replacing: Self.sample.message()))
        #expect(again["verdict_oak_light"] as? [String: String] == ["p": "sensor"])
        #expect(try components(with { $0.cameras = [] })["camera"] as? [String: String] == ["p": "select"])
    }

    @Test(
        "a message on the topic that is not Swatchcam's changes nothing",
        arguments: [
            "", "[", "{}", #"{"cmps":[]}"#, #"{"cmps":{"a":{}}}"#, #"{"cmps":{"A b":{"p":"sensor"}}}"#,
            #"{"cmps":{"a":{"p":"lock"}}}"#, #"{"cmps":{"":{"p":"sensor"}}}"#,
            String(repeating: "[", count: 70_000),
            #"{"cmps":{"a":{"p":"sensor"}},"x":""# + String(repeating: "x", count: 300),
        ])
    func foreign(previous: String) {
        #expect(Self.sample.message(replacing: Data(previous.utf8)) == Self.sample.message())
    }

    @Test("no option is the word none, which Home Assistant takes for no option, and two cameras of a name are one")
    func options() throws {
        let components = try components(with { $0.cameras = ["None", "A", "none", "", "B", "A"] })
        #expect(components["effect"]?["ops"] as? [String] == ["off", "edges", "zebra"])
        #expect(components["camera"]?["ops"] as? [String] == ["A", "B"])
    }

    @Test("targets whose names make the same id have one entity")
    func sameTargets() throws {
        let keys = try components(with { $0.targets = ["Oak!", "oak", "橡木", " "] }).keys
        #expect(keys.filter { $0.hasPrefix("verdict_") }.sorted() == ["verdict_3", "verdict_4", "verdict_oak"])
    }

    @Test("a name from outside is sanitized and bounded, and is part of no template")
    func hostileNames() throws {
        let hostile = "{{ states('a') }}{% x %}\"'\n\u{202E}" + String(repeating: "long ", count: 100)
        let discovery = with { ($0.name, $0.cameras, $0.targets) = (hostile, [hostile], [hostile]) }
        let document = try json(discovery)
        let names = try components(discovery).values.flatMap { component in
            [component["name"] as? String].compactMap(\.self) + (component["ops"] as? [String] ?? [])
        }
        let device = try #require((document["dev"] as? [String: Any])?["name"] as? String)
        for name in names + [device] {
            #expect(name.unicodeScalars.count <= 103 && !name.contains("\n") && !name.contains("\u{202E}"))
        }
        for component in try components(discovery).values {
            for key in ["val_tpl", "json_attr_tpl"] {
                #expect((component[key] as? String)?.contains("states") != true)
            }
            let id = try #require(component["uniq_id"] as? String)
            #expect(id.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F })
        }
    }

    @Test("with as much of everything as is taken, the message is shorter than what is read back, 256 KiB")
    func length() {
        let names = (0..<100).map { "\($0)" + String(repeating: "橡", count: 98) }
        let greatest = with { ($0.cameras, $0.targets, $0.effects) = (names, names, names) }
        #expect(greatest.message(replacing: Self.sample.message()).count < 262_144)
    }

    @Test("a Swatchcam without a name or an address is called by that of the program, and has no link")
    func nameless() throws {
        let discovery = with { ($0.name, $0.page) = (" ", nil) }
        let device = try #require(json(discovery)["dev"] as? [String: Any])
        #expect(device["name"] as? String == "Swatchcam")
        #expect(device["cu"] == nil)
        #expect(try components(discovery)["color"]?["def_ent_id"] as? String == "sensor.swatchcam_color")
    }

    @Test("the templates ask for no key that the message of the state does not have")
    func templates() throws {
        let known = StateFigure.all.map(\.key)
        for component in try components().values {
            for key in ["val_tpl", "json_attr_tpl"] {
                guard let template = component[key] as? String else { continue }
                for part in template.components(separatedBy: "value_json.").dropFirst() {
                    #expect(known.contains(String(part.prefix { $0.isLetter })), "\(template)")
                }
            }
        }
    }

    /// For Tests/HomeAssistant: one message for each situation.
    @Test(
        "the messages are written to a folder on request",
        .enabled(
            if: ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DISCOVERY"] != nil,
            "writes only for make home-assistant"))
    func write() throws {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DISCOVERY"] ?? "")
        let retargeted = with { $0.targets = ["Pine"] }.message(replacing: Self.sample.message())
        let messages = [
            "full": Self.sample.message(), "view": with { $0.isControllable = false }.message(),
            "renamed": with { $0.name = "Press" }.message(),
            "retargeted": retargeted, "restored": Self.sample.message(replacing: retargeted),
        ]
        for (name, message) in messages { try message.write(to: folder.appending(path: "\(name).json")) }
    }
}
