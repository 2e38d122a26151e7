import Documents

extension Schemas {
    /// Of calibrations.
    static let calibration: KeyValuePairs<String, JSONSchema> = [
        "Chart": ChartDocument.schema,
        "PatchMeasurement": .openObject([
            .optional(
                "area",
                .openObject([
                    .init("height", .number(0...1)),
                    .init("width", .number(0...1)),
                    .init("x", .number(0...1)),
                    .init("y", .number(0...1)),
                ]).orNull,
                "Where in the picture it was measured, in fractions."),
            .init(
                "clippedHigh",
                .openObject([
                    .init("b", .number(0...1)),
                    .init("g", .number(0...1)),
                    .init("r", .number(0...1)),
                ])),
            .init(
                "clippedLow",
                .openObject([
                    .init("b", .number(0...1)),
                    .init("g", .number(0...1)),
                    .init("r", .number(0...1)),
                ])),
            .init(
                "linear",
                .openObject([
                    .init("b", .number(0...1)),
                    .init("g", .number(0...1)),
                    .init("r", .number(0...1)),
                ])),
            .init("readings", .integer(1...1_000_000), "A patch and a card need 16."),
            .init("uneven", .boolean, "Whether a reading had the flag `uneven`."),
        ]).described(
            "The mean of several readings, as the camera delivers them: `linear` and `statistics.clipped` of "
                + "readings."),
        "PatchOrder": .object([
            .init(
                "areas", .array(of: .component("Region"), 1...192),
                "Together they are no larger than the picture."),
            .optional("readings", .integer(1...256).defaulting(to: 16)),
        ]).with("example", ["areas": [[0.1, 0.1, 0.05, 0.05]], "readings": 16]),
        "Patches": .openObject([
            .init("conditions", .component("CalibrationConditions")),
            .init("patches", .array(of: .component("PatchMeasurement"))),
        ]),
        "CalibrationOrder": .object([
            .optional("calibration", .component("Calibration")),
            .optional(
                "force", .boolean,
                "Whether measurements may replace a calibration in force that is better; false if omitted."),
            .optional(
                "measurements",
                .openObject([
                    .optional(
                        "card",
                        .openObject([
                            .init("luminance", .number(0.02...1), "Its reflectance Y."),
                            .init("measured", .component("PatchMeasurement")),
                        ]),
                        "A white or grey card."),
                    .optional(
                        "chart",
                        .openObject([
                            .init("name", .string(0...255)),
                            .init(
                                "patches",
                                .array(
                                    of: .openObject([
                                        .init("measured", .component("PatchMeasurement")),
                                        .init("name", .string(0...255)),
                                        .init("reference", .component("CalibratedLab")),
                                    ]), 0...4096)),
                        ])),
                    .optional("dark", .component("PatchMeasurement"), "The covered lens."),
                    .optional(
                        "flat",
                        .openObject([
                            .init(
                                "cells", .array(of: .component("PatchMeasurement"), 4...4096),
                                "Row by row from the top."),
                            .init("columns", .integer(2...64)),
                        ]),
                        "A white sheet over the whole picture."),
                ])),
        ]).described("Either measurements or a calibration."),
        "CalibrationConditions": .object([
            .init("camera", .string, "Its id."),
            .optional("colorimetry", .string.orNull),
            .init(
                "controls", ["type": "object", "additionalProperties": ["type": ["integer", "string"]]],
                "The values of all controls that can be set, by name."),
            .init("format", .string),
            .init("height", .integer),
            .init("width", .integer),
        ]).described("Everything about the camera that its colours depend on."),
        "CalibrationDifferences": .object([
            .init("maximum", .number),
            .init("mean", .number),
        ]).described("Differences from the references in ΔE00."),
        "Calibration": .object([
            .optional(
                "card",
                .object([
                    .init("gains", .component("CalibratedLight")),
                    .init("luminance", .number),
                    .init("scale", .number),
                ])),
            .optional(
                "chart",
                .object([
                    .init("after", .component("CalibrationDifferences")),
                    .init("before", .component("CalibrationDifferences")),
                    .init("chart", .string),
                    .init("leaveOneOut", .component("CalibrationDifferences"), "What to expect of other colours."),
                    .init(
                        "patches",
                        .objects([
                            .init("after", .component("CalibratedLab"), "By the calibration."),
                            .init("before", .component("CalibratedLab"), "As the camera delivers it."),
                            .init("deltaEAfter", .number),
                            .init("deltaEBefore", .number),
                            .optional(
                                "deltaELeftOut", .number,
                                "By a fit to all other patches; absent if the patch is not used."),
                            .init("name", .string),
                            .optional("reason", .string, "Why the patch is not used; absent if it is."),
                            .init("reference", .component("CalibratedLab")),
                        ])),
                    .init(
                        "transform",
                        .object([
                            .init(
                                "coefficients", .array(of: .array(of: .number, 3...6), 3...3),
                                "For red, green and blue, those of R, G and B, and of √RG, √GB and √RB. Gains have "
                                    + "one factor for each channel, and zeros."),
                            .init("model", .words(["gains", "matrix", "root-polynomial"])),
                        ])),
                    .optional(
                        "unevenLight", .number(0...1),
                        "The share by which the light varies over the chart; absent if it does not certainly."),
                ])),
            .init("conditions", .component("CalibrationConditions")),
            .optional("dark", .component("CalibratedLight"), "What is subtracted."),
            .optional(
                "shading",
                .object([
                    .init("cells", .array(of: .component("CalibratedLight"), 4...4096)),
                    .init("columns", .integer(2...64)),
                ]),
                "By what is divided: the light of each cell of a grid over the picture, relative to the mean."),
            .init("time", .time),
        ]).described("How colours follow from the light that the camera delivers."),
        "CalibrationState": CalibrationDocument.schema,
    ]
}
