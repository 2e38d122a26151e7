import Configuration
import Documents

extension Schemas {
    /// Of the program, its settings and its fleet.
    static let program: KeyValuePairs<String, JSONSchema> = [
        "Fleet": FleetDocument.schema,
        "Settings": .object(
            [
                .init(
                    "effects",
                    .objects([
                        .init("name", .component("Effect")),
                        .init("summary", .nonEmptyString),
                        .init("title", .nonEmptyString),
                    ]),
                    "The values of `effect`, in the order in which the page shows them."),
                .init(
                    "problem", .string.orNull,
                    "Why a change will be lost when Swatchcam stops, for example because another Swatchcam uses the "
                        + "same state folder; null if none will."),
                .init(
                    "remembered",
                    .object([
                        .init("lines", .nonEmptyString, "The lines for `config.toml` with the same effect."),
                        .init("since", .time, "When they were changed last."),
                    ]).orNull,
                    "The settings that were changed here and therefore differ from `config.toml`, also after a "
                        + "restart. Null if there are none."),
            ] + ConfigSchema.settings),
        "SettingsChange": JSONSchema.object(ConfigSchema.settings.map { .optional($0.key, $0.schema) }).described(
            "One or more of them. What is omitted stays unchanged."
        ).examples(["effect": "edges", "region": [0.25, 0.25, 0.5, 0.5]]),
        "Health": .object([
            .optional(
                "broker",
                .object([
                    .init("connected", .boolean),
                    .optional(
                        "problem", .nonEmptyString,
                        "Why there is no connection. Omitted for clients without access, and if there is one."),
                ]),
                "The connection to the MQTT broker. Omitted if none is configured."),
            .optional(
                "pictures",
                .object([
                    .init("encoded", .integer(from: 0), "Pictures encoded since the start."),
                    .init("passedOn", .integer(from: 0), "Pictures of an MJPG camera that were passed on unchanged."),
                    .init("viewers", .integer(from: 0)),
                ])),
            .init("status", ["const": "ok"]),
        ]),
        "Configuration": .object([
            .init(
                "config", ConfigSchema.schema, "Every key of `config.toml`, by its name there; null if it has no value."
            ),
            .init("path", .string.orNull, "The path of its file; null if there is none."),
        ]),
    ]
}
