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
    /// The maximum number of values in a change of settings. Each of 96 probes has 13.
    private static let maxSettingValues = 4000

    /// Handles `GET /api/settings`.
    func showSettings(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let version = "\(shared.config.revision) \(shared.settingsMemory.problem ?? "")"
        let document = Document(key: "/api/settings", version: version) { JSONText.data(of: settingsDocument) }
        return try await send(document, to: principal.key, request)
    }

    /// The document of `GET /api/settings`.
    var settingsDocument: some Encodable {
        SettingsDocument(shared.config.value, problem: shared.settingsMemory.problem)
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
        let values = try await request.json(
            [String: ConfigValue].self, maxValues: Self.maxSettingValues,
            orRefuse: .badSettings("Send a JSON object such as {\"effect\": \"edges\"}."))
        do throws(ConfigError) {
            let change = try SettingsChange(values)
            await shared.settingsMemory.change { change.apply(to: &$0) }
        } catch {
            throw HTTPError.badSettings(error.description)
        }
        return .json(settingsDocument)
    }

    /// Handles `DELETE /api/settings`, after which the settings of `config.toml` apply again.
    func forgetSettings() async -> HTTPResponse {
        await shared.settingsMemory.forget()
        return .json(settingsDocument)
    }

    /// Answers with a probe or a target that was set or deleted, and with the reason why that will be forgotten, if it
    /// will.
    func answer(_ item: ConfigValue?, status: HTTPStatusCode = .ok) -> HTTPResponse {
        answer(item, problem: shared.settingsMemory.problem, status: status)
    }

    func answer(_ item: ConfigValue?, problem: String?, status: HTTPStatusCode = .ok) -> HTTPResponse {
        .json(item?.with(problem), status: status)
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

    private enum CodingKeys: String, CodingKey { case effects, remembered, problem }

    let values: [String: ConfigValue]
    /// The allowed values of `effect`.
    let effects = Effects.all.map { EffectDocument(name: $0.name, title: $0.title, summary: $0.summary) }

    /// The settings that override those in `config.toml`; null if there are none.
    let remembered: Remembered?

    /// A sentence about changes that will be lost when the program ends; null if there are none.
    let problem: String?

    init(_ settings: Settings, problem: String?) {
        values = settings.effective.clientSettings
        remembered = settings.clientChanges.map { Remembered(lines: $0.lines, since: $0.since) }
        self.problem = problem
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
