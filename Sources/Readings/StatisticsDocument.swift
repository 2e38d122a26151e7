package import FoundationEssentials
import Pixels
import Untrusted

/// The statistics of a reading with its histogram, as `GET /api/statistics` returns them.
package struct StatisticsDocument: Encodable {
    private enum CodingKeys: String, CodingKey { case sequence, time, histogram }

    private let reading: Reading

    package init(_ reading: Reading) { self.reading = reading }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reading.sequence, forKey: .sequence)
        try container.encode(reading.time.timestamp, forKey: .time)
        try StatisticsSummary(statistics: reading.statistics).encode(to: encoder)
        try container.encode(reading.statistics?.histogram, forKey: .histogram)
    }

    /// Encodes the document on one line, with every key, in alphabetical order.
    package func json() -> Data { JSONText.data(of: self) }
}
