import Foundation
import Pixels
import Testing
import Untrusted

@testable import Configuration

@Suite("Configuration as JSON")
struct ConfigJSONTests {
    private func object(_ config: Config, path: String? = nil) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: ConfigSchema.json(config, path: path)) as? NSDictionary)
    }

    @Test("the configuration's JSON has the file's path and every key in its table")
    func everyKey() throws {
        let object = try object(Config(), path: "/etc/swatchcam/config.toml")
        #expect(object["path"] as? String == "/etc/swatchcam/config.toml")
        let config = try #require(object["config"] as? [String: Any])
        let names = config.flatMap { table, value in
            (value as? [String: Any])?.keys.map { "\(table).\($0)" } ?? [table]
        }
        #expect(Set(names) == Set(ConfigSchema.keys.map(\.name)))
    }

    @Test("the configuration's JSON has the values as the file writes them")
    func values() throws {
        var config = Config()
        config.camera.fps = 29.97
        config.camera.colorimetry = .bt709Full
        config.camera.mirror = true
        config.camera.device = "a \"quoted\" name \(String(repeating: "that is long ", count: 10))"
        config.camera.controls = ["gain": .integer(7), "mode": .string("50 Hz"), "on": .boolean(true)]
        config.web.port = 0
        config.targets = [
            try Config.Target(.table(["name": .string("Red"), "color": .string("red"), "hue": .integer(1)]))
        ]
        config.probes = [
            Probe(name: "White", region: Region(x: 0, y: 0, width: 0.5, height: 0.25), isReference: true)
        ]
        let document = try #require(try object(config)["config"] as? [String: Any])
        let target = try #require((document["targets"] as? [NSDictionary])?.first)
        #expect(target == ["name": "Red", "color": "red", "tolerance": 2, "hue": 1])
        let probe = try #require((document["probes"] as? [NSDictionary])?.first)
        #expect(
            probe == [
                "name": "White", "region": [0, 0, 0.5, 0.25], "shape": "rectangle", "reference": true, "light": false,
            ])
        let object = document.compactMapValues { $0 as? [String: Any] }
        #expect(object["camera"]?["fps"] as? Double == 29.97)
        #expect(object["camera"]?["colorimetry"] as? String == "bt709-full")
        #expect(object["camera"]?["mirror"] as? Bool == true)
        #expect(object["camera"]?["controls"] as? NSDictionary == ["gain": 7, "mode": "50 Hz", "on": true])
        #expect(object["camera"]?["device"] as? String == config.camera.device)
        #expect(object["readings"]?["region"] as? [Double] == [0, 0, 1, 1])
        #expect(object["web"]?["port"] as? Int == 0)
        #expect(object["web"]?["templates"] is NSNull)
        #expect(try self.object(config)["path"] is NSNull)
    }
}
