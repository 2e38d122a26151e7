package import Handoff

/// The rate of events, measured over the last few seconds.
package struct RateMeter {
    private static let window = 4.0
    /// The shortest time between two counts, in seconds. Closer ones would add no information.
    private static let spacing = window / 32

    private var counts: [(time: MonotonicTime, total: UInt64)] = []

    package init() {}

    /// Records the total number of events.
    package mutating func record(total: UInt64, at time: MonotonicTime) {
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

/// The frames of the last ten seconds that were lost or not used.
package struct FrameLosses {
    /// The losses over a period.
    package struct Losses: Equatable, Sendable {
        /// The number of frames that were lost or not used.
        package var frames: UInt64
        /// The length of the period, in seconds.
        package var seconds: Double
        /// Their share of all frames of the period, 0...1, computed from the measured frame rate.
        package var share: Double
    }

    /// The time for which a loss counts, in seconds.
    private static let window = 10.0
    /// The shortest time between two counts, in seconds, so that they take bounded memory.
    private static let spacing = window / 20

    private var counts: [(time: MonotonicTime, total: UInt64)] = []

    package init() {}

    /// Records the total number of losses.
    package mutating func record(total: UInt64, at time: MonotonicTime) {
        if let last = counts.last {
            // Another camera counts from 0.
            if last.total > total { counts.removeAll() } else if time - last.time < Self.spacing { return }
        }
        counts.removeAll { time - $0.time > Self.window }
        counts.append((time, total))
    }

    /// Returns the losses of the last ten seconds.
    /// - Parameters:
    ///   - total: The total number of losses.
    ///   - rate: The measured number of frames a second.
    package func losses(total: UInt64, rate: Double, at time: MonotonicTime) -> Losses {
        guard let first = counts.first(where: { time - $0.time <= Self.window }), total > first.total else {
            return Losses(frames: 0, seconds: 0, share: 0)
        }
        let (lost, seconds) = (total - first.total, time - first.time)
        return Losses(frames: lost, seconds: seconds, share: Double(lost) / (Double(lost) + rate * seconds))
    }
}
