import FoundationEssentials
import Untrusted

/// A writer of Prometheus's text format, version 0.0.4.
///
/// What has no value is left out, because a gap is more honest than NaN, which also breaks averages.
package struct MetricsWriter {
    /// A kind of metric, as the format names it.
    package enum Kind: String {
        /// A value that rises and falls.
        case gauge
        /// A number that only rises, or begins again at 0.
        case counter
    }

    /// One value of a metric.
    package struct Series {
        /// The values of the labels, in their order.
        var labels: [String]
        var value: Double?

        package init(_ labels: [String], _ value: Double?) { (self.labels, self.value) = (labels, value) }
    }

    /// What docs/prometheus.md says of a metric.
    package struct Declaration: Sendable {
        package let name: String
        package let labels: [String]
        package let help: String
    }

    /// The longest value of a label, in scalars. The names of cameras and targets come from outside.
    private static let maxLabel = 100

    /// The text so far. Its media type is ``mediaType``.
    package private(set) var text = ""

    /// All metrics so far, also those without a value.
    package private(set) var declarations: [Declaration] = []

    /// The media type of the format.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    package init() {}

    /// Writes a metric without labels.
    package mutating func write(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        write(name, kind, help, by: [], [Series([], value)])
    }

    /// Writes a metric with a series for each set of labels. Of series with the same labels, the first one counts.
    /// - Parameter labels: The names of the labels.
    package mutating func write(
        _ name: String, _ kind: Kind, _ help: String, by labels: [String], _ series: [Series]
    ) {
        declarations.append(Declaration(name: name, labels: labels, help: help))
        var lines = "", seen: Set<String> = []
        for one in series {
            guard let value = one.value, value.isFinite else { continue }
            let pairs = zip(labels, one.labels).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            guard seen.insert(pairs).inserted else { continue }
            lines += pairs.isEmpty ? name : "\(name){\(pairs)}"
            lines += " \(Self.number(value))\n"
        }
        guard !lines.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n\(lines)"
    }

    /// Returns the value of a label. Sanitized text has no line breaks, which would have to be escaped, too.
    private static func escaped(_ value: String) -> String {
        String(
            String.UnicodeScalarView(
                value.sanitized(limit: maxLabel).unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    scalar == "\\" || scalar == "\"" ? ["\\", scalar] : [scalar]
                }))
    }

    /// Returns the shortest text of a number. Whole ones have no point.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
