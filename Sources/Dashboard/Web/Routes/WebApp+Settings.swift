import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Pixels
import Readings
import Untrusted

/// The settings that clients may change, and the configuration.
extension WebApp {
    /// Handles `GET /api/settings`.
    func showSettings() -> HTTPResponse {
        .json(settingsDocument)
    }

    /// The document of `GET /api/settings`.
    var settingsDocument: some Encodable {
        SettingsDocument(sources.config.value, sources.settings.remembered)
    }

    /// Handles `GET /api/config`.
    func showConfig(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let version = "\(sources.config.revision) \(sources.configFile.revision)"
        let document = Document(key: "/api/config", version: version) {
            ConfigSchema.json(sources.config.value, path: sources.configFile.value)
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `PUT /api/settings`, which changes the given settings, or nothing if any of them is invalid.
    func changeSettings(_ request: HTTPRequest) async throws -> HTTPResponse {
        let change = try SettingsChange(try await request.json([String: ConfigValue].self, orRefuse: .badSettings))
        sources.settings.change { change.apply(to: &$0) }
        return showSettings()
    }

    /// Handles `DELETE /api/settings`, after which the settings of `config.toml` apply again.
    func forgetSettings() -> HTTPResponse {
        sources.settings.forget()
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

    struct Remembered: Encodable {
        /// The lines for `config.toml` that have the same effect.
        var lines: String
        /// The time of their last change.
        var since: String
    }

    var effect: String
    /// x, y, width and height as fractions of the picture.
    var region: [Double]
    /// The allowed values of `effect`.
    var effects = Effects.all.map { EffectDocument(name: $0.name, title: $0.title, summary: $0.summary) }

    /// The settings that override those in `config.toml`; null if there are none.
    @Nullable var remembered: Remembered?

    init(_ config: Config, _ settings: RememberedSettings?) {
        effect = config.picture.effect
        region = config.readings.region.coordinates
        remembered = settings.map { Remembered(lines: $0.lines, since: $0.since) }
    }
}
