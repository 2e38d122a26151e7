package import Color
import Documents
package import FoundationEssentials
import Pixels
package import Untrusted

/// A part of the history in intervals of equal length.
///
/// Intervals begin at multiples of their length since 1970, so that a later window of the same span has the same ones.
package struct HistoryWindow: Sendable {
    /// The start of the first interval.
    package let start: Date
    /// The end of the requested time, which lies in the last interval.
    package let end: Date
    /// The length of an interval, in seconds.
    package let step: Double
    /// The summary of each interval; nil if it has no reading with a colour.
    package private(set) var summaries: [ReadingSummary?]
    /// The colours of the probes in each interval; empty unless they are wanted.
    package private(set) var probes: [ProbeSums] = []
    /// The marks from `start` to `end`, in the order in which they were set.
    package internal(set) var marks: [Mark] = []

    /// - Parameters:
    ///   - count: The maximum number of intervals, at least 1.
    ///   - period: The length of the intervals of the summaries that will be added, in seconds. The window's intervals
    ///     are a multiple as long, so that no summary belongs to two of them.
    init(_ span: HistorySpan, intervals count: Int, period: Double, until end: Date) {
        step = max((span.seconds / Double(max(count, 1)) / period).rounded(.up), 1) * period
        let intervals = (span.seconds / step).rounded(.up)
        let last = (end.timeIntervalSince1970 / step).rounded(.down)
        start = Date(timeIntervalSince1970: (last - intervals + 1) * step)
        self.end = end
        summaries = Array(repeating: nil, count: Int(intervals))
    }

    /// Adds a summary to its interval, if it lies in the window.
    mutating func add(_ summary: ReadingSummary) {
        guard summary.time >= start, summary.time <= end else { return }
        let index = Int(summary.time.timeIntervalSince(start) / step)
        guard summaries.indices ~= index else { return }
        if summaries[index] == nil { summaries[index] = summary } else { summaries[index]?.add(summary) }
    }

    /// Adds the colours of probes to their interval, if it lies in the window.
    mutating func add(_ row: ProbeHistory.Row) {
        let index = Int((row.time.timeIntervalSince(start) / step).rounded(.down))
        guard summaries.indices ~= index else { return }
        if probes.isEmpty { probes = Array(repeating: ProbeSums(), count: summaries.count) }
        probes[index].add(row.sums)
    }

    /// The colours of each probe in each interval, by name, the newest probes first; nil where there is none.
    package var probeColors: [(name: Name, colors: [RGB?])] {
        var found: [(name: Name, colors: [RGB?])] = []
        var places: [Name: Int] = [:]
        for (interval, sums) in probes.enumerated().reversed() {
            for color in sums.colors {
                let place = places[color.name] ?? found.count
                if place == found.count {
                    guard place < Probe.maxCount else { continue }
                    found.append((color.name, Array(repeating: nil, count: probes.count)))
                    places[color.name] = place
                }
                found[place].colors[interval] = color.mean
            }
        }
        return found
    }

    package func time(of index: Int) -> Date { start + Double(index) * step }
}

/// A length of the history up to now.
package struct HistorySpan: Equatable, Sendable {
    /// The length that applies if none is requested: ten minutes.
    package static let standard = HistorySpan(seconds: 600)
    /// The permitted lengths, in seconds.
    private static let range = 10...History.maxAge

    /// The length in seconds, 10 s to 31 days.
    package let seconds: Double

    private init(seconds: Double) {
        self.seconds = seconds
    }

    /// Parses a whole number and a unit, such as `90s`, `10m`, `12h` or `31d`; nil for anything else, and if the length
    /// is out of range.
    package init?(_ text: String) {
        guard let seconds = Double(timeSpan: text), Self.range ~= seconds else { return nil }
        self.seconds = seconds
    }
}

/// A part of the history as it is stored, without grouping it again.
package struct HistoryRows: Sendable {
    /// The requested time.
    package var range: ClosedRange<Date>
    /// The length of a summary's interval, in seconds. For a span of up to an hour, it is the shortest time between two
    /// entries.
    package var period: Double
    /// The summaries by ascending time.
    package var summaries: [ReadingSummary]
    /// The marks by ascending time.
    package var marks: [Mark]

    /// The names of the probes that the rows have, in the order in which they appear: as many as can be set at most.
    package var probeNames: [Name] {
        var (names, last): ([Name], [Name]) = ([], [])
        // The newest come first, because they are those that are set.
        for summary in summaries.reversed() where !summary.probes.isEmpty && names.count < Probe.maxCount {
            let present = summary.probes.names
            guard present != last else { continue }
            last = present
            names += present.filter { !names.contains($0) }
        }
        return Array(names.prefix(Probe.maxCount))
    }
}
