package import Color
package import FoundationEssentials
import Handoff
import Pixels
package import Untrusted

extension Reading: JSONWritable {
    /// Encodes the reading as clients receive it: on one line, with every key, in alphabetical order.
    package func json() -> Data { JSONWriter.data(self) }

    /// Writes every key, missing values as null, and only significant decimals.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("brightness", brightness, decimals: 4)
            json.field("camera", camera)
            json.field("color", color)
            json.field("drift", stability.drift)
            json.field("dropped", dropped)
            json.field("effect", effect)
            json.field("frame", frame)
            json.field("hex", hex)
            json.field("linear", linear, decimals: 6)
            json.field("luminance", linear?.luminance, decimals: 6)
            json.field("mean", mean, decimals: 4)
            json.field("message", message)
            json.field("noise", stability.noise)
            json.field("notices", notices)
            json.field("quality", quality)
            json.field("rate", rate)
            json.field("recording", recording)
            json.field("region", region.coordinates)
            json.field("revisions", revisions)
            json.field("rgb", rgb)
            json.field("sequence", sequence)
            json.field("settled", stability.steadiness?.isSettled)
            json.field("since", since.timestamp)
            json.field("state", state)
            json.field("statistics", statistics.map { StatisticsFields(statistics: $0) })
            json.field("textColor", textColor)
            json.field("time", time.timestamp)
            json.field("totalDrift", stability.totalDrift)
        }
    }
}

extension Reading.State: JSONWritable {}

extension Reading.Camera: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("device", device)
            json.field("id", id)
            json.field("name", name)
        }
    }
}

extension Reading.Size: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("height", height)
            json.field("width", width)
        }
    }
}

extension Reading.Frame: JSONWritable {
    /// Writes the age to a tenth of a millisecond.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("ageMs", ageMs, decimals: 1)
            json.field("colorimetry", colorimetry)
            json.field("format", format)
            json.field("height", height)
            json.field("picture", picture)
            json.field("sequence", sequence)
            json.field("width", width)
        }
    }
}

extension Reading.Rate: JSONWritable {
    /// Writes rates to a hundredth.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("capture", capture, decimals: 2)
            json.field("reading", reading, decimals: 2)
            json.field("wanted", wanted, decimals: 2)
        }
    }
}

extension Reading.Noise: JSONWritable {
    /// Writes four decimals.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("b", channels.b, decimals: 4)
            json.field("deltaE", deltaE, decimals: 4)
            json.field("g", channels.g, decimals: 4)
            json.field("r", channels.r, decimals: 4)
        }
    }
}

extension Reading.Drift: JSONWritable {
    /// Writes four decimals.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("deltaEPerMinute", deltaEPerMinute, decimals: 4)
            json.field("standardError", standardError, decimals: 4)
        }
    }
}

extension Quality: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("flags", flags)
            json.field("grade", grade)
        }
    }
}

extension Quality.Grade: JSONWritable {}
extension Quality.Flag.Code: JSONWritable {}

extension Quality.Flag: JSONWritable {
    /// Writes the figure to four decimals.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("code", code)
            json.field("message", message)
            json.field("value", value, decimals: 4)
        }
    }
}

extension Revisions: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("cameras", cameras)
            json.field("controls", controls)
            json.field("history", history)
            json.field("samples", samples)
            json.field("settings", settings)
        }
    }
}

extension Notice.Topic: JSONWritable {}

extension Notice: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("message", message)
            json.field("topic", topic)
        }
    }
}

extension Channels: JSONWritable where Value: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("b", b)
            json.field("g", g)
            json.field("r", r)
        }
    }
}

extension JSONWriter {
    /// Writes a key and channels with at most so many decimals; null if they are nil.
    package mutating func field<Meaning>(_ key: String, _ channels: Channels<Double, Meaning>?, decimals: Int) {
        guard let channels else { return field(key, String?.none) }
        field(key) { json in
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
