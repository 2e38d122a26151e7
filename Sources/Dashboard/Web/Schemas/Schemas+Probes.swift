import Documents
import Metrology
import Pixels
import Readings

extension Schemas {
    private static let placement: [JSONProperty] = [
        .optional(
            "light", .boolean.defaulting(to: false), "Whether the probe is on a light, which is read from every frame."),
        .optional(
            "reference", .boolean.defaulting(to: false),
            "Whether the probe is on a patch that stays in view, whose changes are those of the light. One probe may be it."
        ),
        .init("region", .component("Region")),
        .optional("shape", .component("Shape")),
        .optional(
            "targets", .array(of: .component("TargetName"), 0...CoverageTable.maxTargets),
            "The targets that the colour is compared with; all if it is missing."),
    ]

    /// Of probes.
    static let probes: KeyValuePairs<String, JSONSchema> = [
        "Probe": .object(
            [
                .init("name", .component("TargetName")),
                .optional(
                    "problem", .string,
                    "Why the change will be forgotten when the program ends; missing if it is kept, and in lists."),
            ] + placement
        ).described(
            "A part of the picture that is measured beside the region."
        ).examples(["name": "White", "region": [0.05, 0.05, 0.05, 0.05], "reference": true]),
        "ProbeOrder": JSONSchema.object(placement).examples(["region": [0.4, 0.4, 0.05, 0.05]]),
        "Probes": .object([
            .init("probes", .array(of: .component("Probe"), 0...Probe.maxCount)),
            .optional(
                "problem", .string,
                "Why the change will be forgotten when the program ends; missing if it is kept."),
        ]),
        "ProbeGrid": .object([
            .init("columns", .integer(1...96)),
            .init("region", .component("Region")),
            .init("rows", .integer(1...96)),
            .optional(
                "share", .number(0.05...1).defaulting(to: 0.5),
                "The part of a cell's width and height that a probe covers."),
        ]).described(
            "At most 96 cells. Probes are named as wells are: A1, A2, and so on, B1 in the next row."
        ).examples(["rows": 8, "columns": 12, "region": [0.1, 0.1, 0.8, 0.8]]),
        "ProbeSummary": Reading.ProbeColor.Summary.schema,
        "ProbeColor": Reading.ProbeColor.Whole.schema.described(
            "What a probe shows. The keys that a reading has, too, mean the same."),
        "AreaState": AreaState.schema,
        "LightState": LightState.schema,
    ]
}
