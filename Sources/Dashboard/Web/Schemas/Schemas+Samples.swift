import Documents
import Metrology
import Pixels
import Readings
import Storage

extension Schemas {
    /// Of samples.
    static let samples: KeyValuePairs<String, JSONSchema> = [
        "Sample": .openObject(Sample.fields.map(\.property)).described(
            "One deliberate measurement: the mean of several readings, and everything that it depends on."),
        "SampleName": .string(0...100).described(
            "Control characters and the like are replaced. A sample whose name is empty is called by its number, "
                + "such as `Sample 7`."),
        "SampleReadings": .integer(1...256).described("The number of readings that are averaged."),
        "SampleProblem": .string.orNull.described(
            "Why samples are not stored, so that they are lost when Swatchcam stops; null if they are stored."),
        "StoredSample": .component("Sample").and(.openObject([.init("problem", .component("SampleProblem"))])),
        "SampleList": .object([
            .init(
                "problem", .string.orNull,
                "Why samples are not stored, so that they are lost when Swatchcam stops, or what is wrong with those "
                    + "of earlier runs; null if nothing is."),
            .init("samples", .array(of: .component("Sample"), 0...SampleList.capacity)),
        ]),
        "SampleOrder": .object([
            .optional("name", .component("SampleName")),
            .optional("readings", .integer(Sample.readingCounts).defaulting(to: 16)),
        ]).examples(["name": "Leaf", "readings": 16], [:]),
        "SampleChange": .object([
            .init("name", .component("SampleName"))
        ]).examples(["name": "Leaf"]),
    ]
}
