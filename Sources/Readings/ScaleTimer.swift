package import Documents
package import FoundationEssentials
import Metrology
package import Untrusted

/// A wait until a scale is read, such as the time that a test needs after dipping.
package struct ScaleTimer: Named, Codable, Equatable, Sendable {
    /// The permitted waits, in seconds.
    package static let waits = 0.0...86_400

    /// The name of the scale.
    package let name: Name
    /// The time to wait, in seconds.
    package let after: Double
    /// The number of readings of the sample.
    package let readings: Int
    /// The moment at which the readings begin.
    package let due: Date

    package init(name: Name, after: Double, readings: Int, due: Date) {
        (self.name, self.after, self.readings, self.due) = (name, after, readings, due)
    }

    /// Returns stored timers, with printable names; nil if they are not ones that Swatchcam has written.
    package static func accept(_ timers: [ScaleTimer]) -> [ScaleTimer]? {
        guard timers.count <= NamedScale.maxCount,
            timers.allSatisfy({ waits ~= $0.after && Sample.readingCounts ~= $0.readings })
        else { return nil }
        return timers.map {
            ScaleTimer(
                name: Name($0.name.text.sanitized(limit: 60)), after: $0.after, readings: $0.readings, due: $0.due)
        }
    }

    /// What the sample is called.
    package var label: String { "\(name) after \(after.scaleText) s" }
}

extension ScaleTimer: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("after", .number(waits), "The time to wait, in seconds.") { $0.after },
        .value("due", .time, "When the readings begin.") { $0.due.timestamp },
        .value("name", .component("TargetName"), "The name of the scale.") { $0.name },
        .value("readings", .component("SampleReadings")) { $0.readings },
    ]
}
