package import Handoff

/// Measures how often something happens, over the last few seconds.
package struct RateMeter {
    private static let window = 4.0
    /// Samples closer together than this tell nothing more.
    private static let spacing = window / 32

    private var samples: [(time: MonotonicTime, total: UInt64)] = []

    package init() {}

    /// Takes note of how often it has happened in all.
    package mutating func note(total: UInt64, at time: MonotonicTime) {
        if let last = samples.last, time - last.time < Self.spacing { return }
        samples.append((time, total))
        // Events that are rarer than the window still have a rate: two samples always stay.
        while samples.count > 2, time - samples[1].time > Self.window { samples.removeFirst() }
    }

    /// Per second; 0 before it can be known. Falls while nothing happens any more.
    package func rate(at now: MonotonicTime) -> Double {
        guard let first = samples.first, let last = samples.last, first.time < last.time, last.total > first.total
        else { return 0 }
        let interval = (last.time - first.time) / Double(last.total - first.total)
        let silence = now - last.time
        return silence > 2 * max(interval, Self.spacing) ? min(1 / interval, 1 / silence) : 1 / interval
    }
}
