import Documents
import Metrology
import Readings

extension Schemas {
    private static let tolerances = ["tolerance", "lightness", "chroma", "hue"].map {
        JSONProperty.optional($0, .component("ToleranceLimit"))
    }

    /// Of targets and verdicts.
    static let targets: KeyValuePairs<String, JSONSchema> = [
        "Target": .object(
            [
                .init("name", .component("TargetName")),
                .init("color", .component("TargetColor")),
                .optional(
                    "problem", .string,
                    "Why the change will be forgotten when the program ends; missing if it is kept, and in lists."),
            ] + tolerances
        ).described(
            "A colour that readings are compared with."
        ).examples(["name": "Brand red", "color": "#C8102E", "tolerance": 2]),
        "TargetOrder": .object(
            [
                .optional("color", .component("TargetColor")),
                .optional("sample", .integer(from: 1)),
            ] + tolerances
        ).with("not", ["required": ["color", "sample"]]).described(
            "Either a color, or the number of a sample, or neither for the present colour."
        ).examples(["color": "#C8102E", "tolerance": 2], ["sample": 7], [:]),
        "TargetChange": .object([.init("name", .component("TargetName"))]).examples(["name": "Brand red"]),
        "Verdict": Reading.Judgement.Entry.schema.described(
            "What readings say about the colour and a target. Differences are those of the mean of the readings from "
                + "the target."),
        "VerdictCounts": VerdictTracker.Counts.schema.described("Parts by their verdict."),
        "PartCounts": CountsDocument.schema,
        "TeachInOrder": .object([
            .optional("bad", .array(of: .integer, 0...200).with("uniqueItems", true)),
            .optional(
                "components", .boolean.defaulting(to: false),
                "Whether lightness, chroma and hue get tolerances of their own."),
            .init("good", .array(of: .integer, 5...200).with("uniqueItems", true)),
        ]).described(
            "The numbers of samples, each once."
        ).examples(["good": [1, 2, 3, 4, 5], "bad": [6]]),
        "Lesson": TargetLesson.schema,
        "VerdictOrder": .object([
            .optional("readings", .integer(MeasuredColor.minCount...Sample.readingCounts.upperBound).defaulting(to: 16))
        ]).examples(["readings": 16], [:]),
        "Verdicts": SampleVerdicts.schema.described("The verdicts on one part."),
        "StateLesson": TaughtState.schema.described("What was taught of a state."),
    ]
}
