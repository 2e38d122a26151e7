import Foundation
import Testing

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
        let config = try #require(object["config"] as? [String: [String: Any]])
        #expect(
            Set(config.flatMap { table, keys in keys.keys.map { "\(table).\($0)" } })
                == Set(ConfigSchema.keys.map(\.name)))
    }

    @Test("the configuration's JSON has the values as the file writes them")
    func values() throws {
        var config = Config()
        config.camera.fps = 29.97
        config.camera.colorimetry = .bt709Full
        config.camera.mirror = true
        config.camera.device = "a \"quoted\" name \(String(repeating: "that is long ", count: 10))"
        config.web.port = 0
        let object = try #require(try object(config)["config"] as? [String: [String: Any]])
        #expect(object["camera"]?["fps"] as? Double == 29.97)
        #expect(object["camera"]?["colorimetry"] as? String == "bt709-full")
        #expect(object["camera"]?["mirror"] as? Bool == true)
        #expect(object["camera"]?["device"] as? String == config.camera.device)
        #expect(object["readings"]?["region"] as? [Double] == [0, 0, 1, 1])
        #expect(object["web"]?["port"] as? Int == 0)
        #expect(object["web"]?["templates"] is NSNull)
        #expect(try self.object(config)["path"] is NSNull)
    }
}
