import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Pixels
import Readings

/// The settings that clients may change, and the configuration.
extension WebApp {
    /// Handles `GET /api/settings`.
    func showSettings() -> HTTPResponse {
        .json(SettingsDocument(sources.config.value))
    }

    /// Handles `GET /api/config`.
    func showConfig() -> HTTPResponse {
        .json(ConfigSchema.json(sources.config.value, path: sources.configFile.value))
    }

    /// Handles `PUT /api/settings`, which changes the given settings, or nothing if any of them is invalid.
    func changeSettings(_ request: HTTPRequest) async throws -> HTTPResponse {
        let change = try SettingsChange(try await request.json([String: ConfigValue].self, orRefuse: .badSettings))
        sources.config.update { change.apply(to: &$0) }
        return showSettings()
    }
}

/// The document of `GET /api/settings`.
private struct SettingsDocument: Encodable {
    struct EffectDocument: Encodable {
        var name: String
        var title: String
        var summary: String
    }

    var effect: String
    /// x, y, width and height as fractions of the picture.
    var region: [Double]
    /// The allowed values of `effect`.
    var effects = Effects.all.map { EffectDocument(name: $0.name, title: $0.title, summary: $0.summary) }

    init(_ config: Config) {
        effect = config.picture.effect
        region = config.readings.region.list
    }
}
