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
        SettingsDocument(shared.config.value, problem: shared.settings.problem)
    }

    /// Handles `GET /api/config`.
    func showConfig(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let document = Document(key: "/api/config", version: "\(shared.config.revision)") {
            let settings = shared.config.value
            return ConfigSchema.json(settings.effective, path: settings.path)
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `PUT /api/settings`, which changes the given settings, or nothing if any of them is invalid.
    func changeSettings(_ request: HTTPRequest) async throws -> HTTPResponse {
        let change = try SettingsChange(try await request.json([String: ConfigValue].self, orRefuse: .badSettings))
        shared.settings.change { change.apply(to: &$0) }
        return showSettings()
    }

    /// Handles `DELETE /api/settings`, after which the settings of `config.toml` apply again.
    func forgetSettings() -> HTTPResponse {
        shared.settings.forget()
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

    /// A sentence about changes that will be lost when the program ends; null if there are none.
    @Nullable var problem: String?

    init(_ settings: Settings, problem: String?) {
        effect = settings.effective.picture.effect
        region = settings.effective.readings.region.coordinates
        remembered = settings.clientChanges.map { Remembered(lines: $0.lines, since: $0.since) }
        self.problem = problem
    }
}
