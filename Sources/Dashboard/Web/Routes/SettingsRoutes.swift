import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Pixels
import Readings
import State
import Storage

/// The settings that clients may change, and the configuration.
struct SettingsRoutes: Sendable {
    /// The maximum number of values in a change of settings. Each of 96 probes has 13.
    private static let maxSettingValues = 4000

    let shared: SharedState
    let documents: DocumentSender

    var routes: [Route] {
        [
            Route(.GET, "/api/settings", "The settings that clients may change", showSettings)
                .described("getSettings", isAlwaysReady: true, .ok("What is in effect now.", "Settings")),
            Route(.PUT, "/api/settings", "Change settings", changeSettings)
                .described(
                    "changeSettings",
                    "Changes everything that is named or, if anything is wrong, nothing. The configuration file is "
                        + "not changed, but the change is remembered for the next start. It holds until the key in "
                        + "question is edited in `config.toml`.",
                    takes: .json("SettingsChange"),
                    isAlwaysReady: true,
                    .ok("What is in effect now.", "Settings")),
            Route(.DELETE, "/api/settings", "Forget changed settings") { _ in
                await shared.settingsMemory.forget()
                return .json(SettingsDocument(shared))
            }
            .described(
                "forgetSettings",
                "All settings are again those of `config.toml`.",
                isAlwaysReady: true,
                .ok("What is in effect now.", "Settings")),
            Route(.GET, "/api/config", "The configuration in effect", showConfig)
                .described("getConfiguration", .ok("Every key, and the path of the file.", "Configuration")),
        ]
    }

    private func showSettings(_ call: Call) async throws -> HTTPResponse {
        let version = "\(shared.config.revision) \(shared.settingsMemory.problem ?? "")"
        return try await documents.json(to: call, version: version) { JSONText.data(of: SettingsDocument(shared)) }
    }

    private func showConfig(_ call: Call) async throws -> HTTPResponse {
        try await documents.json(to: call, version: "\(shared.config.revision)") {
            let settings = shared.config.value
            return ConfigSchema.json(settings.effective, path: settings.path)
        }
    }

    private func changeSettings(_ call: Call) async throws -> HTTPResponse {
        let values = try await call.json(
            [String: ConfigValue].self, maxValues: Self.maxSettingValues,
            orRefuse: .badSettings("Send a JSON object such as {\"effect\": \"edges\"}."))
        do throws(ConfigError) {
            let change = try SettingsChange(values)
            await shared.settingsMemory.change { change.apply(to: &$0) }
        } catch {
            throw HTTPError.badSettings(error.description)
        }
        return .json(SettingsDocument(shared))
    }
}

extension ConfigValue {
    /// The table with the reason why it will be forgotten, if it will.
    func with(_ problem: String?) -> ConfigValue {
        guard case .table(var values) = self, let problem else { return self }
        values["problem"] = .string(problem)
        return .table(values)
    }
}

/// The document of `/api/settings`.
struct SettingsDocument: Encodable {
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

    private enum CodingKeys: String, CodingKey { case effects, remembered, problem }

    let values: [String: ConfigValue]
    /// The allowed values of `effect`.
    let effects = Effects.all.map { EffectDocument(name: $0.name, title: $0.title, summary: $0.summary) }

    /// The settings that override those in `config.toml`; null if there are none.
    let remembered: Remembered?

    /// A sentence about changes that will be lost when the program ends; null if there are none.
    let problem: String?

    init(_ shared: SharedState) {
        let settings = shared.config.value
        values = settings.effective.clientSettings
        remembered = settings.clientChanges.map { Remembered(lines: $0.lines, since: $0.since) }
        problem = shared.settingsMemory.problem
    }

    func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(effects, forKey: .effects)
        try container.encode(remembered, forKey: .remembered)
        try container.encode(problem, forKey: .problem)
    }
}

extension HTTPError {
    fileprivate static func badSettings(_ message: String) -> HTTPError { badRequest(code: "bad-settings", message) }
}
