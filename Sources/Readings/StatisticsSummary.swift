import Color
import Pixels

/// Statistics as readings carry them: without the histogram, and with significant decimals only.
struct StatisticsSummary: Encodable {
    private enum CodingKeys: String, CodingKey {
        case pixels, regionPixels, min, max, median, sd, clipped, outOfGamut, dominant
    }

    private struct Clipped: Encodable {
        var low: ChannelFigures
        var high: ChannelFigures
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
        try container.encode(statistics?.minimum, forKey: .min)
        try container.encode(statistics?.maximum, forKey: .max)
        try container.encode(statistics?.median, forKey: .median)
        try container.encode(statistics?.standardDeviation?.rounded(decimals: 4), forKey: .sd)
        try container.encode(
            statistics.map {
                Clipped(low: $0.clippedLow.rounded(decimals: 6), high: $0.clippedHigh.rounded(decimals: 6))
            },
            forKey: .clipped)
        try container.encode(statistics?.outOfGamut.rounded(decimals: 6), forKey: .outOfGamut)
        try container.encode(
            (statistics?.dominant).map {
                Dominant(hex: $0.color.rounded.hex, share: $0.share.rounded(decimals: 6))
            }, forKey: .dominant)
    }
}
