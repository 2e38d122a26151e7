package import FoundationEssentials
package import Metrology
import Pixels
import Untrusted

/// What was known of a probe, or of the region, in an interval: a row of the table of probes.
package struct ProbeRow: Equatable, Sendable {
    /// The share of the probe's pixels that lie within a target.
    package struct Share: Equatable, Sendable {
        let target: Name
        let value: Double
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
    /// The share of each target in the newest reading, in their order.
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

    /// Adds what a reading says besides the colour.
    mutating func add(_ state: AreaState?, _ light: LightState?) {
        count += 1
        self.state = state?.name
        self.light = light
        if let level = light?.level {
            levelSum += level
            levelCount += 1
            self.light?.level = levelSum / levelCount
        }
    }

    /// Sets the shares to those in the newest reading. There may be 6,208 of them in a reading, so they are not taken from
    /// each.
    mutating func complete(_ newest: Reading.Judgement) {
        coverage = newest.entries.compactMap { entry in
            entry.coverage.map { Share(target: Name(entry.name), value: $0.share) }
        }
    }
}

/// The newest rows of the probes, and of the region if there is a target, as many as a number of bytes holds. If there are
/// more, the oldest are dropped.
struct ProbeRows {
    private let maxBytes: Int
    /// The colours in the interval that is not complete, and everything else that is known.
    private var probes = ProbeSums()
    private var region = ProbeSums()
    private var others: [Name: (row: ProbeRow, newest: Reading.Judgement)] = [:]
    private var rows: [ProbeRow] = []
    /// The number of rows at the beginning that are dropped, which are removed together.
    private var dropped = 0
    private(set) var byteCount = 0
    /// The number of the first row that is not removed.
    private var first = 0
    /// Whether rows were dropped since some were removed.
    private var hasLost = false

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The rows that are complete.
    var batch: PendingRows.Batch<ProbeRow> {
        .init(first: first + dropped, rows: Array(rows.dropFirst(dropped)), isIncomplete: hasLost)
    }

    /// Adds a reading.
    /// - Parameter probes: The colours of its probes.
    mutating func add(_ probes: ProbeSums, of reading: Reading) {
        let region = reading.judgement.entries.isEmpty ? nil : reading.regionColor
        guard !probes.isEmpty || region != nil else { return }
        self.probes.add(probes)
        if let region { self.region.add(ProbeSums([region])) }
        let new = probes.colors + [region].compactMap(\.self)
        func add(_ name: Name, _ state: AreaState?, _ light: LightState?, _ judgement: Reading.Judgement) {
            if others[name] == nil, others.count <= Probe.maxCount, let color = new.first(where: { $0.name == name }) {
                others[name] = (ProbeRow(of: color, at: reading.time), judgement)
            }
            others[name]?.row.add(state, light)
            others[name]?.newest = judgement
        }
        add(.region, reading.regionState, nil, reading.judgement)
        for probe in reading.probes where probe.measurement != nil {
            add(probe.probe.name, probe.state, probe.light, probe.judgement)
        }
    }

    /// Completes the interval that began at a time.
    mutating func complete(at time: Date) {
        for color in region.colors + probes.colors {
            guard let other = others[color.name] else { continue }
            var row = other.row
            (row.color, row.time) = (color, time)
            row.complete(other.newest)
            rows.append(row)
            byteCount += row.byteCount
        }
        (region, probes, others) = (ProbeSums(), ProbeSums(), [:])
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
