import Color
package import FoundationEssentials
import Pixels
package import Untrusted

/// The statistics of a reading with its histogram, as `GET /api/statistics` returns them.
package struct StatisticsDocument: JSONWritable {
    private let reading: Reading

    package init(_ reading: Reading) { self.reading = reading }

    package func write(to json: inout JSONWriter) {
        StatisticsFields(statistics: reading.statistics, reading: reading).write(to: &json)
    }

    /// Encodes the document on one line, with every key, in alphabetical order.
    package func json() -> Data { JSONWriter.data(self) }
}

/// Statistics as readings carry them: without the histogram, and with significant decimals only.
struct StatisticsFields: JSONWritable {
    /// The statistics; nil if there is no colour. Every value is null then.
    let statistics: RegionStatistics?
    /// The reading of a document that has the histogram, too; nil for the statistics in a reading.
    var reading: Reading?

    func write(to json: inout JSONWriter) {
        json.object { json in
            if let statistics {
                json.field("clipped") { json in
                    json.field("high", statistics.clippedHigh, decimals: 6)
                    json.field("low", statistics.clippedLow, decimals: 6)
                }
                json.field("dominant") { json in
                    json.field("hex", statistics.dominant.color.rounded.hex)
                    json.field("share", statistics.dominant.share, decimals: 6)
                }
            } else {
                json.field("clipped", String?.none)
                json.field("dominant", String?.none)
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
}
