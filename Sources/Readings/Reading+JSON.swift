package import Color
package import Documents
package import FoundationEssentials
import Handoff
package import Pixels

extension Reading: JSONObject {
    /// Encodes the reading as clients receive it: on one line, with every key, in alphabetical order.
    /// - Parameter withWholeProbes: Whether everything that is known of the probes is encoded, and not only their names,
    ///   colours and verdicts.
    package func json(withWholeProbes: Bool = false) -> Data {
        JSONWriter.data(ReadingDocument(self, hasWholeProbes: withWholeProbes))
    }

    /// Encodes the statistics with their histogram, as `GET /api/statistics` returns them.
    package func statisticsJSON() -> Data {
        JSONWriter.data(StatisticsDocument(reading: self))
    }

    package func writeFields(to json: inout JSONWriter) { ReadingDocument(self).writeFields(to: &json) }
}

extension RegionStatistics: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .object(
            "clipped",
            "The share of pixels whose channel is at most 0.5 (`low`) or at least 254.5 (`high`) on the scale of "
                + "0...255, before clamping; to six decimals.",
            [
                .channels("high", .component("Shares"), decimals: 6) { $0.clippedHigh },
                .channels("low", .component("Shares"), decimals: 6) { $0.clippedLow },
            ]),
        .object(
            "dominant",
            "The most frequent colour: the mean of the pixels in the fullest of 32 x 32 x 32 bins and its 26 "
                + "neighbours, and their share.",
            [
                .value("hex", .hex, "The colour, rounded.") { $0.dominant.color.rounded.hex },
                .number("share", .number(0...1), decimals: 6, "The share of pixels in these bins.") {
                    $0.dominant.share
                },
            ]),
        .value("max", .component("CodeValues"), "The greatest code value of each channel, rounded.") { $0.maximum },
        .value(
            "median", .component("CodeValues"),
            "The median of the rounded code values: of an even number, the mean of the middle two."
        ) { $0.median },
        .value("min", .component("CodeValues"), "The least code value of each channel, rounded.") { $0.minimum },
        .number(
            "outOfGamut", .number(0...1), decimals: 6,
            "The share of pixels with a channel below -0.5 or above 255.5 before clamping: colours that sRGB cannot hold."
        ) { $0.outOfGamut },
        .value(
            "pixels", .integer(from: 1),
            "The number of pixels that the statistics are of: every pixel of a region of up to 50,000, up to 8,192 "
                + "on a regular grid in a larger one."
        ) { $0.pixels },
        .value("regionPixels", .integer(from: 1), "The number of pixels in the region.") { $0.regionPixels },
        .channels(
            "sd", .component("CodeValues").orNull, decimals: 4,
            "The sample standard deviation, in code values to four decimals; null for a single pixel."
        ) { $0.standardDeviation },
    ]
}

/// The statistics of a reading with their histogram. Without a colour, they are null.
package struct StatisticsDocument: JSONFields {
    let reading: Reading

    package static let fields = JSONFieldList<Self>(
        [
            .value(
                "histogram", .component("Histogram").orNull,
                "The number of pixels of each code value, of `pixels` in all."
            ) { $0.reading.statistics?.histogram },
            .value("sequence", .integer(from: 0), "The number of the reading.") { $0.reading.sequence },
            .value("time", .time, "When the reading was published, in UTC.") { $0.reading.time.timestamp },
        ] + RegionStatistics.fields.map { $0.orNull { $0.reading.statistics } })
}

extension Reading.State: JSONWritable {}

extension Reading.Camera: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("device", .string.orNull, "The device node; null while there is none.") { $0.device },
        .value("id", .nonEmptyString, "Stable across reboots and renumbering.") { $0.id },
        .value("name", .string) { $0.name },
    ]
}

extension Reading.Frame: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number(
            "ageMs", .number(from: 0), decimals: 1,
            "From the driver's timestamp to the moment the reading was published, in milliseconds."
        ) { $0.ageMs },
        .value("colorimetry", .string.orNull, "The assumed colour encoding, for people; null if none is assumed.") {
            $0.colorimetry
        },
        .value("format", .nonEmptyString, "V4L2 fourcc without trailing spaces; big-endian formats end in `-BE`.") {
            $0.format
        },
        .value("height", .integer(from: 1), "In pixels, as the camera sends it.") { $0.height },
        .object(
            "picture", "Its size as people see it, after `camera.rotate`.",
            [
                .value("height", .integer(from: 1)) { $0.picture.height },
                .value("width", .integer(from: 1)) { $0.picture.width },
            ]),
        .value("sequence", .integer(0...4_294_967_295), "The driver's frame counter.") { $0.sequence },
        .value("width", .integer(from: 1), "In pixels, as the camera sends it.") { $0.width },
    ]
}

extension Reading.Rate: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number("capture", .number(from: 0), decimals: 2, "Frames per second, as measured.") { $0.capture },
        .number("reading", .number(from: 0), decimals: 2, "Readings per second, as measured.") { $0.reading },
        .number(
            "wanted", .number(0...60), decimals: 2,
            "`readings.rate`: how often readings are pushed while somebody watches; 0 until the first reading."
        ) { $0.wanted },
    ]
}

extension Reading.Noise: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number("b", .number(from: 0), decimals: 4, "Of blue.") { $0.channels.b },
        .number(
            "deltaE", .number(from: 0), decimals: 4,
            "Of the colour: the differences ΔE00 from the straight line, squared, summed, divided by two less than "
                + "the number of readings, and the root of that."
        ) { $0.deltaE },
        .number("g", .number(from: 0), decimals: 4, "Of green.") { $0.channels.g },
        .number("r", .number(from: 0), decimals: 4, "Of red in `mean`.") { $0.channels.r },
    ]
}

extension Reading.Drift: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number(
            "deltaEPerMinute", .number(from: 0), decimals: 4,
            "The change in ΔE00 a minute. It is never negative, because a difference of colours has no sign. What "
                + "noise adds is subtracted."
        ) { $0.deltaEPerMinute },
        .number(
            "standardError", .number(from: 0), decimals: 4,
            "Its standard error, with 2 to 6 degrees of freedom, which allows for autocorrelation."
        ) { $0.standardError },
    ]
}

extension Quality: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "flags", .array(of: Flag.schema),
            "The reasons for any doubt, the worst first. A flag disappears when its condition no longer holds."
        ) { $0.flags },
        .value("grade", .words(of: Grade.self), "`good` without a flag.") { $0.grade },
    ]
}

extension Quality.Grade: JSONWritable {}
extension Quality.Flag.Code: JSONWritable {}

extension Quality.Flag: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "code", .words(of: Code.self),
            "`clipped-high`, `clipped-low`, `out-of-gamut`: pixels at the top or bottom of a channel, or more saturated than "
                + "sRGB can hold (fair from 0.1 %, poor from 1 %); `settling`: the camera was just opened, and its colour "
                + "does not hold yet (poor); `dark`: a luminance Y below 0.01; `uneven`: a standard deviation of the pixels "
                + "above 20 % of the mean; `unsettled`: not `settled`, unless `noisy` is the reason; `noisy`: noise above "
                + "ΔE00 0.5, unless a change of the colour is the reason; `automatic`: the camera sets controls by itself; "
                + "`moved`: the picture has moved by more than 2 pixels, or 1 % of a side below 200, since the area or the "
                + "probes were set; `skipped`: 1 % or more of the frames of the last 10 s were lost; `calibration`: the "
                + "calibration is not in force; `outside-chart`: the calibrated colour is outside of what its chart spans; "
                + "`above-white`: the calibrated colour has L* above 101 (poor)."
        ) { $0.code },
        .value("message", .nonEmptyString, "The figure and what to do, in a sentence for people.") { $0.message },
        .number(
            "value", .number(from: 0), decimals: 4,
            "The figure that is the reason: a share, 0...1, of pixels or of the mean; the luminance; a difference in ΔE00; a "
                + "distance in pixels; the number of controls, of frames lost in the last 10 s, or of what differs from the "
                + "conditions of the calibration; the distance from the chart's colours in CIELAB; L*. To four decimals."
        ) { $0.value },
    ]
}

extension Revisions: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("absorbance", .integer(from: 0), "For `/api/absorbance`.") { $0.absorbance },
        .value("cameras", .integer(from: 0), "For `/api/cameras`.") { $0.cameras },
        .value("controls", .integer(from: 0), "For `/api/controls`.") { $0.controls },
        .value("history", .integer(from: 0), "For the marks in `/api/history`.") { $0.history },
        .value("samples", .integer(from: 0), "For `/api/samples`.") { $0.samples },
        .value(
            "settings", .integer(from: 0), "For `remembered` and `problem` in `/api/settings`, and for `/api/probes`."
        ) { $0.settings },
    ]
}

extension Notice: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("message", .nonEmptyString) { $0.message },
        .value(
            "topic", .words(of: Topic.self),
            "`camera`: no camera was found, so the test pattern stands in for one; `negotiated`: the camera delivers something "
                + "other than requested; `colorimetry`: it declares a transfer function or primaries that Swatchcam takes "
                + "for sRGB's; `controls`: it did not accept a control's value; `automatic`: one of its automatic controls "
                + "may change the colour; `history`: its folder cannot be written to; `storage`: files of the state folder "
                + "were put aside under other names, or nothing is kept; `palette`: the palette cannot be read; `broker`: "
                + "there is no connection to the broker; `events`: they cannot be sent to the webhook; `configuration`: the "
                + "outcome of an edit to the file; `restart`: a change takes effect at the next restart."
        ) { $0.topic },
    ]
}

extension Channels: JSONWritable, JSONObject where Value: JSONWritable {
    package func writeFields(to json: inout JSONWriter) {
        json.field("b", b)
        json.field("g", g)
        json.field("r", r)
    }
}

extension Region {
    /// The x and y coordinates, the width and the height, in this order.
    package var coordinates: [Double] { [x, y, width, height] }
}
