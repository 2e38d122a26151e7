package import Documents
package import FoundationEssentials
import Untrusted

/// A part of the history that a client has asked to be recorded in full: every reading is made, whether anybody watches
/// or not.
package struct Recording: Equatable, Sendable {
    /// The time after which every recording ends by itself, in seconds: the length of the history.
    package static let maxDuration = 31.0 * 86_400
    /// The maximum number of characters in a name, counted as Unicode scalars.
    package static let maxLength = 100

    /// One printable line.
    package let name: String
    package let since: Date
    /// The time after which it ends by itself, in seconds.
    package let duration: Double
    /// The time at which it ended; nil while it runs.
    package private(set) var until: Date?

    /// - Parameters:
    ///   - name: A name that ``name(_:)`` has returned.
    ///   - duration: In seconds; no more than ``maxDuration`` counts.
    package init(name: String, since: Date, duration: Double = maxDuration) {
        (self.name, self.since, self.duration) = (name, since, min(duration, Self.maxDuration))
    }

    package var isRunning: Bool { until == nil }

    /// The time at which it ends by itself.
    package var latestEnd: Date { since + duration }

    /// Ends the recording, but neither after its latest end nor, if the clock was turned back, before its beginning.
    package mutating func end(at time: Date) { until = min(max(time, since), latestEnd) }

    /// Returns a name as it is kept, without control characters and the like; nil if it is too long. An empty one
    /// becomes "Recording".
    package static func name(_ text: String) -> String? {
        let trimmed = text.trimmed
        guard trimmed.unicodeScalars.count <= maxLength else { return nil }
        return trimmed.isEmpty ? "Recording" : trimmed.sanitized(limit: maxLength)
    }
}

extension Recording: JSONFields {
    /// What readings say of the recording that runs.
    package static let fields: JSONFieldList<Self> = [
        .value("endsBy", .time, "When it ends by itself.") { $0.latestEnd.timestamp },
        .value("name", .string(1...maxLength)) { $0.name },
        .value("since", .time) { $0.since.timestamp },
    ]
}

extension Recording: Codable {
    private enum Key: CodingKey {
        case name, since, duration, until
    }

    /// Reads a recording that an earlier run has stored.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func time(_ text: String, _ key: Key) throws -> Date {
            guard let time = Date(timestamp: text) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "not a time")
            }
            return time
        }
        guard let name = Self.name(try container.decode(String.self, forKey: .name)) else {
            throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "too long")
        }
        self.init(
            name: name, since: try time(container.decode(String.self, forKey: .since), .since),
            duration: try container.decodeIfPresent(Double.self, forKey: .duration) ?? Self.maxDuration)
        if let text = try container.decodeIfPresent(String.self, forKey: .until) { end(at: try time(text, .until)) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(since.timestamp, forKey: .since)
        try container.encode(duration, forKey: .duration)
        try container.encodeIfPresent(until?.timestamp, forKey: .until)
    }
}
