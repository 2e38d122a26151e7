import Documents
import Pixels
import Readings

extension Schemas {
    /// Of readings.
    static let readings: KeyValuePairs<String, JSONSchema> = [
        "Reading": ReadingDocument.schema.described(
            "The colour of the region, or why there is none. Every key is always present."),
        "Statistics": RegionStatistics.schema.described("The distribution of the colours of some pixels."),
        "StatisticsWithHistogram": StatisticsDocument.schema.described("The statistics of a reading."),
        "Color": Reading.ColorDetails.schema.described(
            "A colour in other coordinates, in the notations of CSS, and in words, computed from the unrounded mean."),
        "Quality": Quality.schema,
        "Noise": Reading.Noise.schema.described(
            "The standard deviation of the last 8 to 32 readings within a minute about the straight line through "
                + "them (VIM 2.21, repeatability), to four decimals."),
        "Drift": Reading.Drift.schema.described(
            "The slope of a straight line through the readings, by least squares, to four decimals."),
        "Frame": Reading.Frame.schema,
        "Camera": Reading.Camera.schema,
        "Rate": Reading.Rate.schema,
        "Notice": Notice.schema,
        "Revisions": Revisions.schema,
        "RunningRecording": Recording.schema,
        "ReferenceState": ReferenceFields.schema,
        "PartsBeyond": PartCounts.schema,
        "Calibrated": Reading.Calibrated.schema,
        "CalibrationInForce": Reading.CalibrationStatus.schema,
        "BlankState": Reading.Solution.schema,
        "LoadedPalette": PaletteDocument.schema,
        "Difference": DifferenceDocument.schema.described(
            "How far two colours are apart."
        ).examples(
            [
                "deltaE00": 2.3251, "deltaE76": 5.4539,
                "parts": ["lightness": 1.3861, "chroma": -4.9716, "hue": -1.7755],
                "words": ["lightness": "lighter", "chroma": "duller", "hue": "greener"],
            ]),
    ]
}
