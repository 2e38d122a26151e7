import Color
import Pixels

/// Statistics as readings carry them: without the histogram, and with significant decimals only.
struct StatisticsSummary: Encodable {
    private enum CodingKeys: String, CodingKey {
        case pixels, regionPixels, min, max, median, sd, clipped, outOfGamut, dominant
    }

    private struct Clipped: Encodable {
        var low: Reading.Channels<Double>
        var high: Reading.Channels<Double>
    }

    private struct Dominant: Encodable {
        var hex: String
        var share: Double
    }

    /// The statistics; nil if there is no colour. Every value is null then.
    let statistics: RegionStatistics?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(statistics?.pixels, forKey: .pixels)
        try container.encode(statistics?.regionPixels, forKey: .regionPixels)
        try container.encode(statistics.map { Reading.Channels($0.minimum) }, forKey: .min)
        try container.encode(statistics.map { Reading.Channels($0.maximum) }, forKey: .max)
        try container.encode(statistics.map { Reading.Channels($0.median) }, forKey: .median)
        try container.encode(
            statistics?.standardDeviation.map { Reading.Channels($0).rounded(decimals: 4) }, forKey: .sd)
        try container.encode(
            statistics.map { Clipped(low: Self.rounded($0.clippedLow), high: Self.rounded($0.clippedHigh)) },
            forKey: .clipped)
        try container.encode(statistics?.outOfGamut.rounded(decimals: 6), forKey: .outOfGamut)
        try container.encode(
            (statistics?.dominant).map {
                Dominant(hex: $0.color.rounded.hex, share: $0.share.rounded(decimals: 6))
            }, forKey: .dominant)
    }

    private static func rounded(_ shares: ChannelShares) -> Reading.Channels<Double> {
        Reading.Channels(r: shares.r, g: shares.g, b: shares.b).rounded(decimals: 6)
    }
}

extension Reading.Channels where Value == Double {
    fileprivate init(_ color: RGB) { self.init(r: color.r, g: color.g, b: color.b) }
}
