package import FoundationEssentials
package import Metrology
import Pixels
import Untrusted

/// What was known of a probe in an interval: a row of the table of probes.
package struct ProbeRow: Equatable, Sendable {
    /// The mean share of the probe's pixels that lie within a target.
    package struct Share: Equatable, Sendable {
        let target: Name
        fileprivate var sum: Double
        fileprivate var count: Double

        var mean: Double { sum / count }
    }

    /// The start of the interval.
    package var time: Date
    /// The number of readings.
    package private(set) var count = 0
    /// The mean colour and concentration.
    package internal(set) var color: ProbeSums.Color
    /// The state in the newest reading.
    package private(set) var state: String?
    /// The light in the newest reading, with the mean of its levels; nil if the probe is on none.
    package private(set) var light: LightState?
    /// The share of each target, in their order.
    package private(set) var coverage: [Share] = []
    private var levelSum = 0.0
    private var levelCount = 0.0

    /// - Parameter color: The mean colour and concentration.
    init(of color: ProbeSums.Color, at time: Date) { (self.color, self.time) = (color, time) }

    /// The memory that it takes, in bytes.
    fileprivate var byteCount: Int {
        coverage.reduce(MemoryLayout<Self>.stride + color.name.text.utf8.count) {
            $0 + MemoryLayout<Share>.stride + $1.target.text.utf8.count
        }
    }

    /// Adds what a reading says of the probe besides its colour.
    mutating func add(_ probe: Reading.ProbeColor) {
        count += 1
        state = probe.state?.name
        light = probe.light
        if let level = light?.level {
            levelSum += level
            levelCount += 1
            light?.level = levelSum / levelCount
        }
        for (index, entry) in probe.judgement.entries.enumerated() {
            guard let share = entry.coverage?.share else { continue }
            let target = Name(entry.name)
            // Targets seldom change, so most have the same place in both.
            let isSame = coverage.indices ~= index && coverage[index].target == target
            guard let place = isSame ? index : coverage.firstIndex(where: { $0.target == target }) else {
                // A client may rename targets again and again.
                if coverage.count < CoverageTable.maxTargets {
                    coverage.append(Share(target: target, sum: share, count: 1))
                }
                continue
            }
            coverage[place].sum += share
            coverage[place].count += 1
        }
    }
}

/// The rows of probes that wait to be written, as many as a number of bytes holds. If there are more, the oldest are
/// dropped.
struct PendingProbeRows {
    private let maxBytes: Int
    /// The colours in the interval that is not complete, and everything else that is known.
    private var sums = ProbeSums()
    private var others: [Name: ProbeRow] = [:]
    private var rows: [ProbeRow] = []
    /// The number of rows at the beginning that are dropped, which are removed together.
    private var dropped = 0
    private var byteCount = 0
    /// The number of the first row that is not removed.
    private var first = 0
    /// Whether rows were dropped since some were removed.
    private var hasLost = false

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The rows that are complete.
    var batch: PendingRows.Batch<ProbeRow> {
        .init(first: first + dropped, rows: Array(rows.dropFirst(dropped)), isIncomplete: hasLost)
    }

    /// Adds the probes of a reading.
    mutating func add(_ colors: ProbeSums, _ probes: [Reading.ProbeColor], at time: Date) {
        guard !colors.isEmpty else { return }
        sums.add(colors)
        let new = colors.colors
        for probe in probes where probe.measurement != nil {
            let name = probe.probe.name
            if others[name] == nil, others.count < Probe.maxCount, let color = new.first(where: { $0.name == name }) {
                others[name] = ProbeRow(of: color, at: time)
            }
            others[name]?.add(probe)
        }
    }

    /// Completes the interval that began at a time.
    mutating func complete(at time: Date) {
        for color in sums.colors {
            guard var row = others[color.name] else { continue }
            (row.color, row.time) = (color, time)
            rows.append(row)
            byteCount += row.byteCount
        }
        (sums, others) = (ProbeSums(), [:])
        while byteCount > maxBytes, dropped < rows.count {
            dropFirst()
            hasLost = true
        }
        tidy()
    }

    /// Removes the rows before the one with this number.
    mutating func remove(before number: Int) {
        while dropped < rows.count, first + dropped < number { dropFirst() }
        hasLost = false
        tidy()
    }

    private mutating func dropFirst() {
        byteCount -= rows[dropped].byteCount
        dropped += 1
    }

    private mutating func tidy() {
        guard 2 * dropped > rows.count else { return }
        rows.removeFirst(dropped)
        first += dropped
        dropped = 0
    }
}
