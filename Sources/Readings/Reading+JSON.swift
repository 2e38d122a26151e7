import Color
package import FoundationEssentials
import Pixels
import Untrusted

extension Reading {
    /// Encodes the reading as clients receive it: on one line, with every key, in alphabetical order.
    package func json() -> Data { JSONText.data(of: self) }
}

extension Reading: Encodable {
    private enum CodingKeys: String, CodingKey {
        case sequence, time, state, since, message, hex, rgb, mean, brightness, textColor, color, linear, luminance,
            statistics, frame, noise, settled, drift, totalDrift, quality, effect, region, camera, rate, dropped,
            notices, revisions
    }

    /// Writes every key, missing values as null, and only significant decimals.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(time.timestamp, forKey: .time)
        try container.encode(state, forKey: .state)
        try container.encode(since.timestamp, forKey: .since)
        try container.encode(message, forKey: .message)
        try container.encode(hex, forKey: .hex)
        try container.encode(rgb, forKey: .rgb)
        try container.encode(mean.map { $0.rounded(decimals: 4) }, forKey: .mean)
        try container.encode(brightness?.rounded(decimals: 4), forKey: .brightness)
        try container.encode(textColor, forKey: .textColor)
        try container.encode(color, forKey: .color)
        try container.encode(linear.map { $0.rounded(decimals: 6) }, forKey: .linear)
        try container.encode(linear?.luminance.rounded(decimals: 6), forKey: .luminance)
        try container.encode(statistics.map { StatisticsSummary(statistics: $0) }, forKey: .statistics)
        try container.encode(frame, forKey: .frame)
        try container.encode(stability.noise, forKey: .noise)
        try container.encode(stability.steadiness?.isSettled, forKey: .settled)
        try container.encode(stability.drift, forKey: .drift)
        try container.encode(stability.totalDrift, forKey: .totalDrift)
        try container.encode(quality, forKey: .quality)
        try container.encode(effect, forKey: .effect)
        try container.encode(region.coordinates, forKey: .region)
        try container.encode(camera, forKey: .camera)
        try container.encode(rate, forKey: .rate)
        try container.encode(dropped, forKey: .dropped)
        try container.encode(notices, forKey: .notices)
        try container.encode(revisions, forKey: .revisions)
    }
}

extension Reading.Frame: Encodable {
    private enum CodingKeys: String, CodingKey { case sequence, width, height, picture, format, colorimetry, ageMs }

    /// Writes the age to a tenth of a millisecond.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(picture, forKey: .picture)
        try container.encode(format, forKey: .format)
        try container.encode(colorimetry, forKey: .colorimetry)
        try container.encode(ageMs.rounded(decimals: 1), forKey: .ageMs)
    }
}

extension Reading.Rate: Encodable {
    private enum CodingKeys: String, CodingKey { case capture, reading, wanted }

    /// Writes rates to a hundredth.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(capture.rounded(decimals: 2), forKey: .capture)
        try container.encode(reading.rounded(decimals: 2), forKey: .reading)
        try container.encode(wanted.rounded(decimals: 2), forKey: .wanted)
    }
}

extension Reading.Noise: Encodable {
    private enum CodingKeys: CodingKey { case deltaE }

    /// Writes four decimals.
    package func encode(to encoder: any Encoder) throws {
        try channels.rounded(decimals: 4).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deltaE.rounded(decimals: 4), forKey: .deltaE)
    }
}

extension Reading.Drift: Encodable {
    private enum CodingKeys: String, CodingKey { case deltaEPerMinute, standardError }

    /// Writes four decimals.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deltaEPerMinute.rounded(decimals: 4), forKey: .deltaEPerMinute)
        try container.encode(standardError.rounded(decimals: 4), forKey: .standardError)
    }
}

extension Region {
    /// The x and y coordinates, the width and the height, in this order.
    package var coordinates: [Double] { [x, y, width, height] }
}
