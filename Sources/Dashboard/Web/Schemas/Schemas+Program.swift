import Configuration
import Documents

extension Schemas {
    /// Of the program, its settings and its fleet.
    static let program: KeyValuePairs<String, JSONSchema> = [
        "Fleet": FleetDocument.schema,
        "Settings": SettingsDocument.schema,
        "SettingsChange": JSONSchema.object(ConfigSchema.settings.map { .optional($0.key, $0.schema) }).described(
            "One or more of them. What is omitted stays unchanged."
        ).examples(["effect": "edges", "region": [0.25, 0.25, 0.5, 0.5]]),
        "Health": HealthDocument.schema,
        "Configuration": .object([
            .init(
                "config", ConfigSchema.schema, "Every key of `config.toml`, by its name there; null if it has no value."
            ),
            .init("path", .string.orNull, "The path of its file; null if there is none."),
        ]),
    ]
}
