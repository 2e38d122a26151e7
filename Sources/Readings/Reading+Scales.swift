package import Documents
package import Metrology
import Pixels
import Untrusted

extension Reading {
    /// What the colour is on a scale.
    package struct OnScale: Equatable, Sendable {
        package let scale: NamedScale
        /// Nil if the scale has no colours, or nothing is known of the colour.
        package let found: ScaleValue?
        /// A sentence that says why there is no value, or what limits it; nil if nothing does.
        package let reason: String?

        /// What is known while there is no colour. The scale keeps its place, by which Home Assistant finds it.
        init(withoutColor scale: NamedScale) { self.init(scale, because: "There is no colour.") }

        private init(_ scale: NamedScale, because reason: String) {
            (self.scale, found, self.reason) = (scale, nil, reason)
        }

        private init(_ scale: NamedScale, _ found: ScaleValue) {
            (self.scale, self.found, reason) = (scale, found, found.reason)
        }

        /// Reads the scale.
        /// - Parameters:
        ///   - region: The newest readings of the region.
        ///   - quality: That of the region.
        init(_ scale: NamedScale, _ region: NewestReadings, _ quality: Quality, _ probes: [ProbeColor]) {
            var (readings, grade) = (region, quality)
            if let name = scale.probe {
                guard let probe = probes.first(where: { $0.probe.name == name }), let own = probe.quality else {
                    self.init(scale, because: "There is no probe named \(name.text.quoted()).")
                    return
                }
                (readings, grade) = (probe.newest, own)
            }
            guard let (color, change) = readings.present else {
                self.init(scale, because: "There is no reading yet.")
                return
            }
            let points: [ColorScale.Point]
            switch scale.colors {
            case .known(let colors): points = zip(scale.values, colors).map { .init(value: $0, color: $1) }
            case .probes(let names):
                var found: [ColorScale.Point] = []
                for (value, name) in zip(scale.values, names) {
                    guard let probe = probes.first(where: { $0.probe.name == name }) else {
                        self.init(scale, because: "There is no probe named \(name.text.quoted()).")
                        return
                    }
                    guard let color = probe.newest.presentColor, color.count >= MeasuredColor.minCount else {
                        self.init(scale, because: "The colours of the scale have too few readings yet.")
                        return
                    }
                    found.append(.init(value: value, color: color))
                }
                points = found
            }
            guard let colors = ColorScale(points, tolerance: scale.tolerance) else {
                self.init(scale, because: "Two colours of the scale that follow one another are the same.")
                return
            }
            // What changes both the sample and a scale in the same picture, such as the lamp, does no harm.
            var isTyped = false
            if case .known = scale.colors { isTyped = true }
            let refusal = grade.refusal(change: isTyped ? change : 0, tolerance: scale.tolerance)
            self.init(scale, ScaleValue(of: color, on: colors, refusal: refusal))
        }
    }
}

extension Reading.OnScale: JSONFields {
    package static let fields: [JSONField<Self>] = [
        .number(
            "distance", .number(from: 0).orNull, decimals: 4,
            "ΔE00 of the colour and the nearest point of the scale; null if there is no colour."
        ) { $0.found?.distance },
        .significant("high", .number.orNull, "The upper end of the interval of 95 %.") {
            $0.found?.interval?.upperBound
        },
        .significant("low", .number.orNull, "The lower end of the interval of 95 %.") {
            $0.found?.interval?.lowerBound
        },
        .value("name", .component("TargetName"), "The name of the scale.") { $0.scale.name },
        .value(
            "range", JSONSchema.words(of: ScaleValue.Range.self).orNull,
            "`within` the scale, `below` its first colour, `above` its last, or `off` the scale; null if that is not known."
        ) { $0.found?.range?.rawValue },
        .value("reason", .string.orNull, "Why there is no value, or what limits it; null if nothing does.") {
            $0.reason
        },
        .value("unit", .string(0...20), "The unit of the values; may be empty.") { $0.scale.unit },
        .significant("value", .number.orNull, "The value; null unless the colour is within the scale.") {
            $0.found?.value
        },
    ]
}

/// The values of some readings on a scale, of those that have one.
package struct ScaleSum: Equatable, Sendable {
    /// The maximum number of scales in a sum: a client may rename them again and again.
    fileprivate static let maxCount = 16

    let name: Name
    fileprivate var sum: Double
    fileprivate var count = 1.0

    /// - Returns: Nil if there is no value.
    init?(_ scale: Reading.OnScale) {
        guard let value = scale.found?.value else { return nil }
        (name, sum) = (scale.scale.name, value)
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
