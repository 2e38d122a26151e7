package import Handoff

/// The rate of events, measured over the last few seconds.
package struct RateMeter {
    private static let window = 4.0
    /// The shortest time between two counts, in seconds. Closer ones would add no information.
    private static let spacing = window / 32

    private var counts: [(time: MonotonicTime, total: UInt64)] = []

    package init() {}

    /// Records the total number of events.
    package mutating func note(total: UInt64, at time: MonotonicTime) {
        if let last = counts.last, time - last.time < Self.spacing { return }
        counts.append((time, total))
        // Two counts always stay, so that events rarer than the window still have a rate.
        while counts.count > 2, time - counts[1].time > Self.window { counts.removeFirst() }
    }

    /// Returns the events per second; 0 until they are known. The rate falls while there are no events.
    package func rate(at now: MonotonicTime) -> Double {
        guard let first = counts.first, let last = counts.last, first.time < last.time, last.total > first.total
        else { return 0 }
        let interval = (last.time - first.time) / Double(last.total - first.total)
        let silence = now - last.time
        return silence > 2 * max(interval, Self.spacing) ? min(1 / interval, 1 / silence) : 1 / interval
    }
}
