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

    /// The resolution of the entries.
    struct Resolution {
        let grouping: Grouping
        /// The length of an interval, in seconds.
        let period: Double
        /// The time for which there is room, in seconds.
        let duration: Double
    }

    private let resolution: Resolution
    private var summaries: RingBuffer<ReadingSummary>
    /// The time at which the next entry is due, by `Grouping.readings`.
    private var due = Date.distantPast

    init(_ resolution: Resolution) {
        self.resolution = resolution
        summaries = RingBuffer(capacity: Int(resolution.duration / resolution.period))
    }

    private var period: Double { resolution.period }

    /// The memory that is reserved, in bytes.
    var byteCount: Int { summaries.byteCount }

    mutating func add(_ summary: ReadingSummary) {
        switch resolution.grouping {
        case .readings: addReading(summary)
        case .intervals: addToInterval(summary)
        }
    }

    /// Adds entries of the same resolution before all others, as far as there is room.
    mutating func prepend(_ older: [ReadingSummary]) { summaries.prepend(older) }

    /// Returns entries in the order of arrival, from the one with a number on.
    /// - Parameter limit: The maximum number of entries to return.
    func entries(from number: Int = .min, upTo limit: Int = .max) -> (first: Int, elements: [ReadingSummary]) {
        summaries.elements(from: number, upTo: limit)
    }

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
