import Color
package import Documents
import Metrology
import Pixels

/// A reading as its document: `GET /api/reading`, `/ws` and `swatchcam read --json`.
package struct ReadingDocument: JSONFields {
    let reading: Reading
    /// Whether everything that is known of the probes is written, and not only their names, colours and verdicts.
    let hasWholeProbes: Bool
    fileprivate let solution: Reading.Solution?

    init(_ reading: Reading, hasWholeProbes: Bool = false) {
        (self.reading, self.hasWholeProbes, solution) = (reading, hasWholeProbes, reading.solution)
    }

    /// Every key, missing values as null, and only significant decimals.
    package static let fields: JSONFieldList<ReadingDocument> = [
        .value(
            "absorbance", .component("Absorbance").orNull,
            "the absorbance of each channel against the blank, from `linear`, with the `standardError` of each, "
                + "which is null while the noise is not known; null where it is not defined"
        ) { $0.solution?.absorbanceFields },
        .value(
            "blank", .component("BlankState").orNull,
            "whether the [blank](absorbance.md) is in force; if it or a channel is not, `because` says why; null if "
                + "there is none"
        ) { $0.solution },
        .number(
            "brightness", .number(0...1).orNull, decimals: 4,
            "(r + g + b) / 765 of `mean`, 0...1"
        ) { $0.reading.brightness },
        .value(
            "calibrated", .component("Calibrated").orNull,
            "the colour by the [calibration](calibration.md) of the camera, from `linear`: `hex`, `rgb`, `lab` and "
                + "`linear`; null if none is in force"
        ) { $0.reading.calibrated },
        .value(
            "calibration", .component("CalibrationInForce").orNull,
            "whether the [calibration](calibration.md) of the camera is in force; if not, `because` says why, such "
                + "as `gain 64 → 80`; null if it has none"
        ) { $0.reading.calibration },
        .value(
            "camera", .component("Camera").orNull,
            "the camera in use, or the one that Swatchcam waits for: its `id`, `name` and `device`; null if there is "
                + "none"
        ) { $0.reading.camera },
        .value(
            "color", .component("Color").orNull,
            "`mean` in other coordinates. `hsl` and `hwb` are in degrees and percent, `lab` and `lch` are CIELAB "
                + "with the white point D50 (adapted from D65 by Bradford's transform), and `oklab` and `oklch` "
                + "Oklab. The hue `h` of a grey is null. `css` has the same colour as strings for style sheets (CSS "
                + "Color 4), rounded so that the difference is invisible; there, the hue of what looks grey is "
                + "`none`. `xyz` is CIE XYZ with D65 and Y = 1 for white, `xy` the chromaticity, which black lacks "
                + "(null). `name` is the nearest named colour of CSS with its difference by CIEDE2000, and a "
                + "description in plain words. `palette` is the nearest colour of [your own palette](palettes.md), "
                + "with its name, `hex` and difference; null if there is none. "
                + ColorFigure.all.map { "`\($0.key)` is \($0.meaning)" }.joined(separator: ". ")
        ) { $0.reading.color },
        .value(
            "concentration", .component("Concentration").orNull,
            "the `value` by the standard curve, the ends `low` and `high` of its interval of 95 %, the `unit`, and "
                + "whether it is `belowDetection` or `extrapolated`, beyond the standards; null if it is not defined"
        ) { $0.solution?.concentration },
        .value(
            "drift", .component("Drift").orNull,
            "the change in ΔE00 a minute over the last minute, with its standard error; null until 8 seconds after a "
                + "disturbance"
        ) { $0.reading.stability.drift },
        .value(
            "dropped", .integer(from: 0),
            "frames that arrived but were not used, or never arrived, since the camera was opened; frames that were "
                + "not new do not count"
        ) { $0.reading.dropped },
        .value(
            "effect", .component("Effect"),
            "the [effect](effects.md) of the processed picture. The reading always comes from the untouched picture"
        ) { $0.reading.effect },
        .value(
            "frame", .component("Frame").orNull,
            "the frame that was read: its size, that of the `picture` that people see after `camera.rotate`, its "
                + "format, its assumed colour encoding, and its age in milliseconds: the time since the last pixel "
                + "was received, or with some drivers since the exposure began"
        ) { $0.reading.frame },
        .value("hex", .hex.orNull, "`mean`, rounded, as `#RRGGBB`") { $0.reading.hex },
        .channels(
            "linear", .component("Light").orNull, decimals: 6,
            "mean light of the pixels (IEC 61966-2-1), 0...1, averaged over the same frames as `mean`: of every "
                + "pixel if `readings.average` is `linear`, otherwise of the pixels from which statistics are taken"
        ) { $0.reading.linear },
        .number(
            "luminance", .number(0...1).orNull, decimals: 6,
            "Y of `linear`, relative to white: 0.2126 r + 0.7152 g + 0.0722 b"
        ) { $0.reading.linear?.luminance },
        .value(
            "match", .string.orNull,
            "the name of the nearest target that passes; null if none does"
        ) { $0.reading.judgement.matchName },
        .channels(
            "mean", .component("MeanColor").orNull, decimals: 4,
            "mean of R'G'B' (sRGB as it is encoded, 0...255) over every pixel of the region, each clamped to "
                + "0...255, to four decimals"
        ) { $0.reading.mean },
        .value(
            "message", .string.orNull,
            "what is wrong and what to do; null while all is well"
        ) { $0.reading.message },
        .value(
            "noise", .component("Noise").orNull,
            "repeatability: the standard deviation of the last 8 to 32 readings within a minute about the straight "
                + "line through them, for each channel and as ΔE00; null before the eighth"
        ) { $0.reading.stability.noise },
        .value(
            "notices", .array(of: .component("Notice"), 0...Notice.Topic.allCases.count),
            "further messages for people, at most one about each [topic](#notices)"
        ) { $0.reading.notices },
        .value(
            "parts", .component("PartsBeyond").orNull,
            "`none`, the number of parts that were beyond every tolerance, and `since`, the time from which parts "
                + "are counted; null if there is no target"
        ) { $0.reading.parts },
        .init(
            "probes",
            .array(of: .either("ProbeSummary", "ProbeColor"), 0...Probe.maxCount),
            "the name, `hex`, `verdict`, `state`, `lightState` and `lightHz` of each [probe](probes.md); with `?probes=all`, "
                + "everything that is known of it"
        ) { json, document in
            let probes = document.reading.probes
            if document.hasWholeProbes {
                json.field("probes", probes.map { Reading.ProbeColor.Whole(color: $0, reading: document.reading) })
            } else {
                json.field("probes", probes.map { Reading.ProbeColor.Summary(color: $0) })
            }
        },
        .value(
            "quality", .component("Quality").orNull,
            "`good`, `fair` or `poor`, and the reasons, the worst first: each flag has a code, its figure and what "
                + "to do"
        ) { $0.reading.quality },
        .value(
            "rate", .component("Rate"),
            "frames captured and readings made per second, as measured; `wanted` is `readings.rate`"
        ) { $0.reading.rate },
        .value(
            "recording", .component("RunningRecording").orNull,
            "the name of the [recording](history.md#recordings) that is running, and when it began; null if there is "
                + "none"
        ) { $0.reading.recording },
        .value(
            "reference", .component("ReferenceState").orNull,
            "the [reference](probes.md#the-reference): its `name`, the factors `correction` that remove the change "
                + "of its light since it was set, and what they do to the colour of the region: `deltaE`, and `hex`. "
                + "`reason` says why nothing is corrected. Null if no probe is the reference"
        ) { document in
            document.reading.reference.map { ReferenceFields(reference: $0, reading: document.reading) }
        },
        .value(
            "region", .component("Region"),
            "x, y, width and height, in fractions of the picture"
        ) { $0.reading.region.coordinates },
        .value(
            "regionState", .component("AreaState").orNull,
            "the state of the region: the `name` of the target that it matches, once that has held for "
                + "`readings.hold`, when it began, and how often it was `entered` since the day began, in UTC; null "
                + "while nothing matches"
        ) { $0.reading.regionState },
        .channels(
            "relative", .component("RelativeLight").orNull, decimals: 6,
            "`linear`, corrected by the reference; null if it is not known"
        ) { $0.reading.relative },
        .value(
            "revisions", .component("Revisions"),
            "a counter for each document that a client may keep a copy of. `absorbance`, `cameras`, `controls` and "
                + "`samples` count the changes of `/api/absorbance`, `/api/cameras`, `/api/controls` and "
                + "`/api/samples`; `history` those of the marks in `/api/history`; `settings` those of `/api/probes`, `/api/scales` "
                + "and of `remembered` and `problem` in `/api/settings`. When a counter has changed, request its "
                + "document again. Targets, effect and region have no counter, because each reading has them"
        ) { $0.reading.revisions },
        .value(
            "rgb", .component("RoundedColor").orNull,
            "`mean`, rounded to the nearest whole number, halves upward"
        ) { $0.reading.rgb },
        .value(
            "scales", .array(of: .component("OnScale"), 0...NamedScale.maxCount),
            "the `value` of the colour on each [scale](scales.md), the ends `low` and `high` of its interval of 95 %, and the "
                + "`unit`; `range` is `within`, `below`, `above` or `off`, `distance` the ΔE00 from the scale, and `reason` says "
                + "why there is no value, or what limits it; `due` is when it is to be kept as a sample"
        ) { $0.reading.scales },
        .value(
            "sequence", .integer(from: 0),
            "increases by one with each reading while the program runs; 0 until the first"
        ) { $0.reading.sequence },
        .value(
            "settled", .boolean.orNull,
            "whether the colour is steady: the last 8 readings are within ΔE00 0.5 of their mean, and the last 8 to "
                + "32 have no trend that is both certain and above 0.1"
        ) { $0.reading.stability.steadiness?.isSettled },
        .value("since", .time, "when the state began") { $0.reading.since.timestamp },
        .value(
            "state", .component("State"),
            "`live` or `test-pattern`; in every other [state](#states) the colour is null, and readings continue "
                + "to arrive. A colour is live for the time of three readings or of four frames after its capture, and "
                + "for 3 s at least: whatever goes wrong between the camera and a client, `state` is something else "
                + "from then on. A camera that falls silent, delivers frames that cannot be read or are from before it "
                + "was opened, or repeats a frame is `lost` until a new one arrives, however often it is opened again"
        ) { $0.reading.state },
        .value(
            "statistics", .component("Statistics").orNull,
            "the [distribution](#statistics) of the colours in the region of the newest frame"
        ) { $0.reading.statistics },
        .value(
            "targets",
            .array(of: .component("Verdict"), 0...CoverageTable.maxTargets),
            "the [verdict](targets.md) on the colour for each target, with its differences: ΔE00 with its limits "
                + "`low` and `high`, ΔL', ΔC' and ΔH' (`deltaL`, `deltaC`, `deltaH`), and in `words`. `verdict` is "
                + "`pass`, `fail`, `close`, or null if there is none, and `reason` says why. `readingsToDecide` is "
                + "null unless more readings would decide. `hex` and `tolerance` are those of the target. `held` is "
                + "the verdict on the part in view once it has held, and `counts` has the "
                + "[parts](targets.md#parts-on-a-line) by their verdict"
        ) { $0.reading.judgement.entries },
        .value(
            "textColor", .words(["#000000", "#FFFFFF"]).orNull,
            "black or white, whichever contrasts more with `hex` (WCAG 2.2)"
        ) { $0.reading.textColor },
        .value("time", .time, "when the reading was published, in UTC") { $0.reading.time.timestamp },
        .value(
            "totalDrift", .component("Drift").orNull,
            "the same since the last disturbance. A disturbance is another camera, state or format, a changed "
                + "region, rotation, `readings.average`, `readings.frames` or `camera.colorimetry`, or a control "
                + "that was set or locked; a control that the camera adjusts by itself does not count"
        ) { $0.reading.stability.totalDrift },
        .value(
            "unique", .boolean.orNull,
            "whether all targets but `match` fail; null if `match` is"
        ) { $0.reading.judgement.isUnique },
    ]
}
