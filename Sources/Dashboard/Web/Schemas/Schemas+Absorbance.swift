import Documents
import Pixels
import Readings

extension Schemas {
    /// Of absorbances and standards.
    static let absorbance: KeyValuePairs<String, JSONSchema> = [
        "Absorbance": AbsorbanceFields.schema.described(
            "A = −log₁₀((I − D) / (I₀ − D)) of each channel, in linear light; null where it is not defined."),
        "Concentration": Concentration.schema,
        "AbsorbanceChange": .object([
            .optional(
                "channel", .words(["best", "red", "green", "blue"]),
                "The channel of the curve; `best` for that with the best signal."),
            .optional("unit", .string(0...20), "The unit of the concentrations: printable characters."),
        ]).examples(["unit": "mg/L"]),
        "LightOrder": .object([
            .optional(
                "everywhere", .boolean.defaulting(to: false),
                "Whether the light of the region counts in every region, because the samples stand side by side in "
                    + "even light. The light of probes is not measured then."),
            .optional(
                "probe", .component("TargetName"),
                "The probe whose light counts in every region, such as the well with the blank."),
            .optional("readings", .integer(8...256).defaulting(to: 16)),
        ]).examples(["readings": 8]),
        "StandardOrder": .object([
            .optional(
                "absorbance", .component("Absorbance"),
                "Its absorbance, as a standard has it; nothing is measured then."),
            .init("concentration", .number(0...1_000_000_000_000), "0, or at least 1e-12."),
            .optional("probe", .component("TargetName"), "The probe that measures it, instead of the region."),
            .optional("readings", .integer(8...256).defaulting(to: 16)),
        ]).examples(["concentration": 2.5, "readings": 8]),
        "MeasuredStandard": .object([
            .init("absorbance", .component("Absorbance")),
            .init("camera", .string, "The id of the camera."),
            .init("concentration", .number(from: 0)),
            .init("name", .component("TargetName")),
            .optional(
                "problem", .string.orNull,
                "Why the change will be forgotten when the program ends; null if it is kept. Only the answer to "
                    + "DELETE has it."),
            .optional(
                "residual", .number.orNull,
                "The absorbance above the line; null without a curve. Only a list has it."),
            .init("time", .time),
        ]),
        "MeasuredLight": .object([
            .init("conditions", .component("CalibrationConditions")),
            .init("everywhere", .boolean),
            .init("light", .component("Light")),
            .init("probes", .integer(0...Probe.maxCount), "The number of probes whose own light was measured."),
            .init("readings", .integer(from: 8)),
            .init("region", .component("Region")),
            .init("standardError", .component("Light")),
            .init("time", .time),
        ]),
        "AbsorbanceState": .object([
            .init(
                "because", .string.orNull,
                "Why it, or a channel, has none; null without a blank, or if all have one."),
            .init("blank", .component("MeasuredLight").orNull),
            .init(
                "channel", .words(["red", "green", "blue"]).orNull,
                "The channel that was chosen; null for that with the best signal."),
            .init(
                "curve",
                .object([
                    .init(
                        "bent", .boolean.orNull,
                        "Whether the standards certainly bend, by more than 1 % of their rise; null with fewer than four."
                    ),
                    .init("channel", .words(["red", "green", "blue"])),
                    .init("degreesOfFreedom", .number(from: 1)),
                    .init(
                        "detectionLimit",
                        .object([
                            .init("absorbance", .number),
                            .init("concentration", .number(from: 0), "3.3 `deviation` / slope (ICH Q2)."),
                            .init(
                                "deviation", .number(from: 0),
                                "The standard deviation of a blank, and at least the standard error of its measurement."
                            ),
                            .init(
                                "fromBlanks", .boolean,
                                "Whether it is the scatter of six blanks or more; otherwise it is that about the line."),
                        ]).orNull,
                        "Null if the standards do not scatter, so that nothing is known of the blank's scatter."),
                    .init("intercept", .number),
                    .init("interceptError", .number(from: 0)),
                    .init("rSquared", .number(0...1)),
                    .init("slope", .number),
                    .init("slopeError", .number(from: 0)),
                    .init("warning", .string.orNull, "How it bends, and what to do."),
                ]).orNull,
                "The straight line from concentrations to absorbances, by weighted least squares."),
            .init("dark", .component("MeasuredLight").orNull),
            .init("inForce", .boolean, "Whether the region has an absorbance now."),
            .init("problem", .string.orNull, "Why all this will be lost when Swatchcam stops; null if it will not."),
            .init(
                "reason", .string.orNull,
                "Why there is no curve, or why it gives no concentration; null without standards."),
            .init("standards", .array(of: .component("MeasuredStandard"), 0...100)),
            .init("unit", .string(0...20)),
        ]),
    ]
}
