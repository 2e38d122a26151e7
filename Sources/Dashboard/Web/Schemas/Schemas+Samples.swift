import Documents
import Metrology
import Pixels
import Readings
import Storage

extension Schemas {
    /// Of samples.
    static let samples: KeyValuePairs<String, JSONSchema> = [
        "Sample": .openObject([
            .init(
                "calibrated",
                .object([
                    .init("hex", .hex, "Clamped if sRGB does not hold the colour."),
                    .init("linear", .component("CalibratedLight")),
                ]).orNull,
                "The mean colour by the calibration of the camera; null if a reading had none."),
            .init(
                "camera",
                .object([
                    .init("id", .string),
                    .init("name", .string),
                ]).orNull),
            .init(
                "concentration", .component("Concentration").orNull,
                "By the standard curve, from the light of all readings; null without a curve, or for fewer than 8 "
                    + "readings."),
            .init(
                "controls", ["type": "object", "additionalProperties": ["type": ["integer", "string"]]],
                "The values of the camera's controls at the end, by name."),
            .init(
                "frame",
                .object([
                    .init("colorimetry", .string.orNull, "The assumed colour encoding."),
                    .init("format", .string, "The fourcc of V4L2."),
                    .init("height", .integer(from: 1)),
                    .init("width", .integer(from: 1)),
                ]).orNull,
                "The format of the frames that were read."),
            .init("hex", .hex, "The rounded mean."),
            .init("id", .integer(1...9_007_199_254_740_991), "No later sample gets the number of this one."),
            .init(
                "lab",
                .object([
                    .init("a", .number),
                    .init("b", .number),
                    .init("l", .number),
                ]),
                "The mean in CIELAB with the white point D50, to four decimals."),
            .init("linear", .channels(.number(0...1)).orNull, "The mean light."),
            .init("mean", .channels(.number(0...255)), "The mean of the readings' means, 0...255."),
            .init("name", .component("SampleName")),
            .init(
                "picture", .string.orNull,
                "The address of the picture of its moment, relative to the pages; null unless it was taken at the end of a "
                    + "wait. It may have given way to newer ones."),
            .init(
                "probes",
                .objects(
                    [
                        .init("concentration", .component("Concentration").orNull),
                        .init("hex", .hex),
                        .init("linear", .channels(.number).orNull),
                        .init("mean", .channels(.number)),
                        .init("name", .string),
                    ], 0...Probe.maxCount),
                "The mean colours of the probes that were set; none if one was set, moved or deleted meanwhile."),
            .init(
                "quality",
                .object([
                    .init(
                        "flags",
                        .objects([
                            .init("code", .string),
                            .init("message", .string),
                            .init("value", .number),
                        ])),
                    .init("grade", .words(of: Quality.Grade.self)),
                ]).orNull,
                "How far the sample can be trusted."),
            .init("readings", .component("SampleReadings")),
            .init("region", .component("Region")),
            .init("rgb", .channels(.integer(0...255)), "The rounded mean."),
            .init(
                "scales", .array(of: .component("OnScale"), 0...NamedScale.maxCount),
                "The value on each scale with its last reading, which goes by up to 32 readings."),
            .init(
                "standardError",
                .object([
                    .init("b", .number(from: 0)),
                    .init("deltaE", .number(from: 0)),
                    .init("g", .number(from: 0)),
                    .init("r", .number(from: 0)),
                ]).orNull,
                "The standard errors of the mean: of each channel, and of the colour as a difference by CIEDE2000. "
                    + "Null if there are too few readings."),
            .init("state", .words(["live", "test-pattern"]), "Where the colour comes from."),
            .init(
                "target",
                .object([
                    .init("deltaE", .number(from: 0)),
                    .init("name", .string),
                    .init("verdict", .words(of: Verdict.Outcome.self).orNull),
                ]).orNull,
                "The target that the sample matched when it was taken, or else the nearest one."),
            .init("time", .time, "When the last reading was published."),
        ]).described("One deliberate measurement: the mean of several readings, and everything that it depends on."),
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
