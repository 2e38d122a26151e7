import Configuration
import Documents
import Metrology
import Readings

extension Schemas {
    /// One, or one for each pad.
    private static func padsOf(_ schema: JSONSchema) -> JSONSchema {
        schema.or(.array(of: schema, ColorScale.padCounts))
    }

    private static let definition: [JSONProperty] = [
        .init(
            "points",
            .array(
                of: .object([
                    .init("value", .number),
                    .optional("color", padsOf(.string), "An opaque colour of CSS; of each pad, if there are several."),
                    .optional(
                        "error", .number(NamedScale.errors).defaulting(to: 0),
                        "The standard error of the color, as a difference in CIELAB; 0 for one that is exact."),
                    .optional("probe", padsOf(.component("TargetName")), "The probe whose colour it is; of each pad."),
                ]), ColorScale.counts), "All have a color, or all have a probe, of as many pads."),
        .optional(
            "probe", padsOf(.component("TargetName")),
            "The probe whose colour is read, of each pad; missing for the region."),
        .optional(
            "tolerance", .number(NamedScale.tolerances).defaulting(to: 6),
            "The greatest ΔE00 from the scale that a colour on it may have."),
        .optional("unit", .string(0...20), "The unit of the values; may be empty."),
    ]
    private static let example: JSONTree = [
        ["value": 6, "color": "#E8C34A"], ["value": 7, "color": "#7FA650"], ["value": 8, "color": "#3E7F8C"],
    ]

    /// Of scales.
    static let scales: KeyValuePairs<String, JSONSchema> = [
        "Scale": .object(
            [
                .init("name", .component("TargetName")),
                .optional(
                    "problem", .string,
                    "Why the change will be forgotten when the program ends; missing if it is kept, and in lists."),
            ] + definition
        ).described("A row of colours with values.").examples(["name": "pH", "points": example]),
        "ScaleOrder": JSONSchema.object(definition).examples(["points": example]),
        "ScaleTimer": Stored<ScaleTimer>.schema.described("A wait until a scale is read."),
        "ScaleTimerOrder": JSONSchema.object([
            .optional("after", .number(ScaleTimer.waits).defaulting(to: 0), "The time to wait, in seconds."),
            .optional("readings", .component("SampleReadings")),
        ]).examples(["after": 60]),
        "OnScale": Reading.OnScale.schema.described("What the colour is on a scale."),
    ]
}
