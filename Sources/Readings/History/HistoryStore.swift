import FoundationEssentials

/// The newest summaries of one resolution, in the order of their arrival.
struct HistoryStore {
    /// The way in which readings are grouped into entries.
    enum Grouping {
        /// One entry for each reading, but no more than one in a period: readings that come faster are averaged.
        case readings
        /// One entry for all readings in the same interval of the clock. Intervals begin at multiples of the period
        /// since 1970.
        case intervals
    }

    /// The length of an interval, in seconds.
    let period: Double
    private let duration: Double
    private let grouping: Grouping
    private var summaries: RingBuffer<ReadingSummary>
    /// The time at which the next entry is due, by `Grouping.readings`.
    private var due = Date.distantPast

    /// - Parameter duration: The time for which the store has room, in seconds.
    init(_ grouping: Grouping, period: Double, duration: Double) {
        self.grouping = grouping
        self.period = period
        self.duration = duration
        summaries = RingBuffer(capacity: Int(duration / period))
    }

    /// The memory that is reserved, in bytes.
    var byteCount: Int { summaries.byteCount }

    mutating func add(_ summary: ReadingSummary) {
        switch grouping {
        case .readings: addReading(summary)
        case .intervals: addToInterval(summary)
        }
    }

    /// Adds summaries of an earlier run before all others, as far as they are recent enough and there is room.
    mutating func restore(_ older: [ReadingSummary], at now: Date) {
        var store = HistoryStore(grouping, period: period, duration: duration)
        for summary in older where now - duration...now ~= summary.time { store.add(summary) }
        var found: [ReadingSummary] = []
        store.forEach { found.append($0) }
        summaries.prepend(found)
    }

    /// Calls a function with every summary, in the order of arrival.
    func forEach(_ body: (ReadingSummary) -> Void) { summaries.forEach(body) }

    private mutating func addReading(_ summary: ReadingSummary) {
        // Half a period of tolerance, so that readings at exactly this rate have an entry each, although their times
        // vary.
        let tolerance = period / 2
        let lateness = summary.time.timeIntervalSince(due)
        // If the reading is earlier than that, the clock was turned back.
        if -(period + tolerance) ..< -tolerance ~= lateness, var newest = summaries.newest {
            newest.add(summary)
            summaries.replaceNewest(with: newest)
        } else {
            due = (-tolerance..<period ~= lateness ? due : summary.time) + period
            summaries.append(summary)
        }
    }

    private mutating func addToInterval(_ summary: ReadingSummary) {
        let start = summary.time.start(ofInterval: period)
        if var newest = summaries.newest, newest.time == start {
            newest.add(summary)
            summaries.replaceNewest(with: newest)
        } else {
            var first = summary
            first.time = start
            summaries.append(first)
        }
    }
}
