package import Documents
package import FoundationEssentials
import Glibc
package import Metrology
import Pixels
package import Untrusted

extension Reading {
    /// What the colour is on a scale.
    package struct OnScale: Equatable, Sendable {
        package let name: Name
        package let unit: String
        /// Nil if the scale has no colours, or nothing is known of the colour.
        package let found: ScaleValue?
        /// A sentence that says why there is no value, or what limits it; nil if nothing does.
        package let reason: String?
        /// When it is to be read; nil if nobody has asked for that. Samples do not have it.
        package var due: Date?

        /// What is known while there is no colour. The scale keeps its place, by which Home Assistant finds it.
        init(withoutColor scale: NamedScale) { self.init(scale, because: "There is no colour.") }

        /// The same without its colour.
        var withoutColor: Self { Self(name: name, unit: unit, found: nil, reason: "There is no colour.") }

        init(name: Name, unit: String, found: ScaleValue?, reason: String?) {
            (self.name, self.unit, self.found, self.reason) = (name, unit, found, reason)
        }

        private init(_ scale: NamedScale, because reason: String) {
            self.init(name: scale.name, unit: scale.unit, found: nil, reason: reason)
        }

        /// Reads the scale.
        /// - Parameters:
        ///   - region: The newest readings of the region.
        ///   - quality: That of the region.
        init(_ scale: NamedScale, _ region: NewestReadings, _ quality: Quality, _ probes: [ProbeColor]) {
            do throws(Refusal) {
                // What changes both the sample and a scale in the same picture, such as the lamp, does no harm.
                var isKnown = false
                if case .known = scale.colors { isKnown = true }
                var (colors, refusal): ([MeasuredColor], String?) = ([], nil)
                for pad in try scale.pads(region, quality, probes) {
                    guard let (color, change) = pad.readings.present else {
                        throw Refusal(reason: "There is no reading yet.")
                    }
                    colors.append(color)
                    refusal =
                        refusal ?? pad.quality.refusal(change: isKnown ? change : 0, tolerance: scale.tolerance)
                }
                let points = try scale.points(probes)
                guard let measured = ColorScale(points, tolerance: scale.tolerance),
                    measured.padCount == colors.count
                else { throw Refusal(reason: "Two colours of the scale that follow one another are the same.") }
                let value = ScaleValue(of: colors, on: measured, refusal: refusal)
                self.init(name: scale.name, unit: scale.unit, found: value, reason: value.reason)
            } catch {
                self.init(scale, because: error.reason)
            }
        }
    }
}

extension Reading.OnScale {
    /// The value and the ends of its interval, with one decimal more than the interval has, and five digits at most; nil if
    /// there is no value.
    package var texts: (value: String, low: String, high: String)? {
        guard let value = found?.value, let interval = found?.interval else { return nil }
        func order(_ number: Double) -> Int { number == 0 ? 0 : Int(log10(number.magnitude).rounded(.down)) }
        let width = interval.upperBound - interval.lowerBound
        let decimals = max(min(width > 0 ? 1 - order(width) : 4, 4 - order(value)), 0)
        return (
            value.formatted(decimals: decimals), interval.lowerBound.formatted(decimals: decimals),
            interval.upperBound.formatted(decimals: decimals)
        )
    }
}

/// Why a scale is not read: a sentence.
private struct Refusal: Error { let reason: String }

extension NamedScale {
    /// Returns the readings of the pads, and their quality.
    fileprivate func pads(
        _ region: NewestReadings, _ quality: Quality, _ all: [Reading.ProbeColor]
    ) throws(Refusal) -> [(readings: NewestReadings, quality: Quality)] {
        guard !probes.isEmpty else { return [(region, quality)] }
        var pads: [(NewestReadings, Quality)] = []
        for name in probes {
            let probe = try Self.probe(name, among: all)
            guard let quality = probe.quality else { throw Refusal(reason: "There is no colour.") }
            pads.append((probe.newest, quality))
        }
        return pads
    }

    fileprivate func points(_ all: [Reading.ProbeColor]) throws(Refusal) -> [ColorScale.Point] {
        switch colors {
        case .known(let known):
            return zip(values, known).map { value, point in
                let errors = Array(repeating: point.error, count: point.error > 0 ? point.colors.count : 0)
                return .init(value: value, colors: point.colors, errors: errors)
            }
        case .probes(let names):
            var points: [ColorScale.Point] = []
            for (value, names) in zip(values, names) {
                var measured: [MeasuredColor] = []
                for name in names {
                    guard let color = try Self.probe(name, among: all).newest.presentColor,
                        color.count >= MeasuredColor.minCount
                    else { throw Refusal(reason: "The colours of the scale have too few readings yet.") }
                    measured.append(color)
                }
                points.append(.init(value: value, measured: measured))
            }
            return points
        }
    }

    private static func probe(
        _ name: Name, among probes: [Reading.ProbeColor]
    ) throws(Refusal) -> Reading.ProbeColor {
        guard let probe = probes.first(where: { $0.probe.name == name }) else {
            throw Refusal(reason: "There is no probe named \(name.text.quoted()).")
        }
        return probe
    }
}

extension Reading.OnScale: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .number(
            "distance", .number(from: 0).orNull, decimals: 4,
            "ΔE00 of the colour and the nearest point of the scale; null if there is no colour."
        ) { $0.found?.distance },
        .value("due", .time.orNull, "When the scale is to be read and kept as a sample; null if it is not.") {
            $0.due?.timestamp
        },
        .significant("high", .number.orNull, "The upper end of the interval of 95 %.") {
            $0.found?.interval?.upperBound
        },
        .significant("low", .number.orNull, "The lower end of the interval of 95 %.") {
            $0.found?.interval?.lowerBound
        },
        .value("name", .component("TargetName"), "The name of the scale.") { $0.name },
        .value(
            "range", JSONSchema.words(of: ScaleValue.Range.self).orNull,
            "`within` the scale, `below` its first colour, `above` its last, or `off` the scale; null if that is not known."
        ) { $0.found?.range?.rawValue },
        .value("reason", .string.orNull, "Why there is no value, or what limits it; null if nothing does.") {
            $0.reason
        },
        .value("unit", .string(0...20), "The unit of the values; may be empty.") { $0.unit },
        .significant("value", .number.orNull, "The value; null unless the colour is within the scale.") {
            $0.found?.value
        },
    ]
}

extension Reading.OnScale: Decodable {
    private enum CodingKeys: CodingKey { case distance, high, low, name, range, reason, unit, value }
    /// The greatest magnitude of a value that is read.
    private static let maxValue = 1e9

    /// Reads what was stored, whose texts are sanitized.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double? {
            let number = try container.decodeIfPresent(Double.self, forKey: key)
            guard number?.magnitude ?? 0 <= Self.maxValue else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "out of range")
            }
            return number
        }
        var interval: ClosedRange<Double>?
        if let low = try number(.low), let high = try number(.high), low <= high { interval = low...high }
        let reason = try container.decodeIfPresent(String.self, forKey: .reason)?.sanitized(limit: 200)
        let range = try container.decodeIfPresent(String.self, forKey: .range).flatMap(ScaleValue.Range.init(rawValue:))
        let value = try number(.value)
        self.init(
            name: Name(try container.decode(String.self, forKey: .name).sanitized(limit: 60)),
            unit: try container.decode(String.self, forKey: .unit).sanitized(limit: 20),
            found: try number(.distance).map {
                ScaleValue(range: range, value: value, interval: interval, distance: $0, reason: reason)
            }, reason: reason)
    }
}

/// The values of some readings on a scale, of those that have one.
package struct ScaleSum: Equatable, Sendable {
    /// The maximum number of scales in a sum: a client may rename them again and again.
    static let maxCount = 16

    let name: Name
    fileprivate var sum: Double
    fileprivate var count = 1.0

    /// - Returns: Nil if there is no value.
    init?(_ scale: Reading.OnScale) {
        guard let value = scale.found?.value else { return nil }
        (name, sum) = (scale.name, value)
    }

    /// The mean of some readings.
    init(_ name: Name, mean: Double, of count: Int) {
        (self.name, sum, self.count) = (name, mean * Double(count), Double(count))
    }

    /// The name and the mean, as a table has them.
    var cell: String { NamedValue.cell(name, (sum / count).scaleText) }
}

extension [ScaleSum] {
    mutating func add(_ others: [ScaleSum]) {
        for other in others {
            if let index = firstIndex(where: { $0.name == other.name }) {
                self[index].sum += other.sum
                self[index].count += other.count
            } else if count < ScaleSum.maxCount {
                append(other)
            }
        }
    }
}
