import Configuration
import FlyingFox
import Foundation
import Handoff
import Pixels
import Readings

/// What may change while the program runs.
extension WebApp {
    /// `GET /api/settings`.
    func showSettings() -> HTTPResponse {
        .json(SettingsDocument(sources.config.value))
    }

    /// `GET /api/config`.
    func showConfig() -> HTTPResponse {
        .json(ConfigSchema.json(sources.config.value, path: sources.configFile.value))
    }

    /// `PUT /api/settings`: what is named changes, all of it or, if anything is wrong, nothing.
    func changeSettings(_ request: HTTPRequest) async throws -> HTTPResponse {
        let change = try SettingsChange(try await request.json([String: ConfigValue].self, orRefuse: .badSettings))
        sources.config.update { change.apply(to: &$0) }
        return showSettings()
    }
}

/// The settings as clients get them.
private struct SettingsDocument: Encodable {
    struct EffectDocument: Encodable {
        var name: String
        var title: String
        var summary: String
    }

    var effect: String
    /// x, y, width and height, in fractions of the picture.
    var region: [Double]
    /// What `effect` may be.
    var effects = Effects.all.map { EffectDocument(name: $0.name, title: $0.title, summary: $0.summary) }

    init(_ config: Config) {
        effect = config.picture.effect
        region = config.readings.region.list
    }
}
