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
        return try await documents.json(to: call, version: version) { JSONWriter.data(SettingsDocument(shared)) }
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
struct SettingsDocument: JSONFields {
    private let values: [String: ConfigValue]
    /// What clients have changed; nil if nothing.
    private let changes: ClientChanges?
    private let problem: String?

    init(_ shared: SharedState) {
        let settings = shared.config.value
        (values, changes) = (settings.effective.clientSettings, settings.clientChanges)
        problem = shared.settingsMemory.problem
    }

    static let fields = JSONFieldList<Self>(
        own
            + ConfigSchema.settings.map { property in
                .encoded(property.key, property.schema, property.meaning) { $0.values[property.key] }
            })

    private static let own: [JSONField<Self>] = [
        .objects(
            "effects", "The values of `effect`, in the order in which the page shows them.",
            [
                .value("name", .component("Effect")) { $0.name },
                .value("summary", .nonEmptyString) { $0.summary },
                .value("title", .nonEmptyString) { $0.title },
            ]
        ) { _ in Effects.all },
        .value(
            "problem", .string.orNull,
            "Why a change will be lost when Swatchcam stops, for example because another Swatchcam uses the same state "
                + "folder; null if none will."
        ) { $0.problem },
        .objectOrNull(
            "remembered",
            "The settings that were changed here and therefore differ from `config.toml`, also after a restart. Null if "
                + "there are none.",
            [
                .value("lines", .nonEmptyString, "The lines for `config.toml` with the same effect.") { $0.lines },
                .value("since", .time, "When they were changed last.") { $0.since },
            ]
        ) { $0.changes },
    ]
}

extension HTTPError {
    fileprivate static func badSettings(_ message: String) -> HTTPError { badRequest(code: "bad-settings", message) }
}
