import Documents
import Metrology
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
        "MeasuredStandard": AbsorbanceSetup.Standard.description,
        "MeasuredLight": MeasuredLight.schema,
        "AbsorbanceState": AbsorbanceDocument.schema,
    ]
}
