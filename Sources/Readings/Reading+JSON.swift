package import Color
package import Documents
package import FoundationEssentials
import Handoff
import Pixels

extension Reading: JSONObject {
    /// Encodes the reading as clients receive it: on one line, with every key, in alphabetical order.
    /// - Parameter withWholeProbes: Whether everything that is known of the probes is encoded, and not only their names,
    ///   colours and verdicts.
    package func json(withWholeProbes: Bool = false) -> Data {
        JSONWriter.data(ReadingDocument(self, hasWholeProbes: withWholeProbes))
    }

    /// Encodes the statistics with their histogram, as `GET /api/statistics` returns them.
    package func statisticsJSON() -> Data {
        JSONWriter.data(StatisticsFields(statistics: statistics, reading: self))
    }

    package func writeFields(to json: inout JSONWriter) { ReadingDocument(self).writeFields(to: &json) }
}

/// Statistics as readings carry them: without the histogram, and with significant decimals only.
struct StatisticsFields: JSONObject {
    /// The statistics; nil if there is no colour. Every value is null then.
    let statistics: RegionStatistics?
    /// The reading of a document that has the histogram, too; nil for the statistics in a reading.
    var reading: Reading?

    func writeFields(to json: inout JSONWriter) {
        json.field("clipped", of: statistics) { json, statistics in
            json.field("high", statistics.clippedHigh, decimals: 6)
            json.field("low", statistics.clippedLow, decimals: 6)
        }
        json.field("dominant", of: statistics?.dominant) { json, dominant in
            json.field("hex", dominant.color.rounded.hex)
            json.field("share", dominant.share, decimals: 6)
        }
        if reading != nil { json.field("histogram", statistics?.histogram) }
        json.field("max", statistics?.maximum)
        json.field("median", statistics?.median)
        json.field("min", statistics?.minimum)
        json.field("outOfGamut", statistics?.outOfGamut, decimals: 6)
        json.field("pixels", statistics?.pixels)
        json.field("regionPixels", statistics?.regionPixels)
        json.field("sd", statistics?.standardDeviation, decimals: 4)
        if let reading {
            json.field("sequence", reading.sequence)
            json.field("time", reading.time.timestamp)
        }
    }
}

extension Reading.State: JSONWritable {}

extension Reading.Camera: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("device", device)
        json.field("id", id)
        json.field("name", name)
    }
}

extension Reading.Size: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("height", height)
        json.field("width", width)
    }
}

extension Reading.Frame: JSONObject {
    /// Writes the age to a tenth of a millisecond.
    package func writeFields(to json: inout JSONWriter) {
        json.field("ageMs", ageMs, decimals: 1)
        json.field("colorimetry", colorimetry)
        json.field("format", format)
        json.field("height", height)
        json.field("picture", picture)
        json.field("sequence", sequence)
        json.field("width", width)
    }
}

extension Reading.Rate: JSONObject {
    /// Writes rates to a hundredth.
    package func writeFields(to json: inout JSONWriter) {
        json.field("capture", capture, decimals: 2)
        json.field("reading", reading, decimals: 2)
        json.field("wanted", wanted, decimals: 2)
    }
}

extension Reading.Noise: JSONObject {
    /// Writes four decimals.
    package func writeFields(to json: inout JSONWriter) {
        json.field("b", channels.b, decimals: 4)
        json.field("deltaE", deltaE, decimals: 4)
        json.field("g", channels.g, decimals: 4)
        json.field("r", channels.r, decimals: 4)
    }
}

extension Reading.Drift: JSONObject {
    /// Writes four decimals.
    package func writeFields(to json: inout JSONWriter) {
        json.field("deltaEPerMinute", deltaEPerMinute, decimals: 4)
        json.field("standardError", standardError, decimals: 4)
    }
}

extension Quality: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("flags", flags)
        json.field("grade", grade)
    }
}

extension Quality.Grade: JSONWritable {}
extension Quality.Flag.Code: JSONWritable {}

extension Quality.Flag: JSONObject {
    /// Writes the figure to four decimals.
    package func writeFields(to json: inout JSONWriter) {
        json.field("code", code)
        json.field("message", message)
        json.field("value", value, decimals: 4)
    }
}

extension Revisions: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("absorbance", absorbance)
        json.field("cameras", cameras)
        json.field("controls", controls)
        json.field("history", history)
        json.field("samples", samples)
        json.field("settings", settings)
    }
}

extension Notice: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("message", message)
        json.field("topic", topic)
    }
}

extension Channels: JSONWritable, JSONObject where Value: JSONWritable {
    package func writeFields(to json: inout JSONWriter) {
        json.field("b", b)
        json.field("g", g)
        json.field("r", r)
    }
}

extension JSONWriter {
    /// Writes a key and channels with at most so many decimals; null if they are nil.
    package mutating func field<Meaning>(_ key: String, _ channels: Channels<Double, Meaning>?, decimals: Int) {
        field(key, of: channels) { json, channels in
            json.field("b", channels.b, decimals: decimals)
            json.field("g", channels.g, decimals: decimals)
            json.field("r", channels.r, decimals: decimals)
        }
    }
}

extension Region {
    /// The x and y coordinates, the width and the height, in this order.
    package var coordinates: [Double] { [x, y, width, height] }
}
