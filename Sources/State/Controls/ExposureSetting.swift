import Color
package import Handoff
import Pixels
package import Readings
package import V4L2

/// A search for the exposure at which the region's light nearly fills the range.
///
/// It runs once, on request: a measuring instrument must not change the exposure by itself. It moves the brightest
/// channel's 99th percentile to 80 % of the range. First it varies the exposure, with the gain at its minimum; it
/// raises the gain only if even the longest exposure is too dark. Readings drive the search: each step is judged by
/// frames that were captured after it.
package struct ExposureSetting: Equatable, Sendable {
    /// The values that the search sets.
    package struct Values: Equatable, Sendable {
        package var exposure: Int64
        /// Nil if the camera has no gain.
        package var gain: Int64?
    }

    /// The next action of the search.
    package enum Step: Equatable, Sendable {
        case wait
        case set(Values)
        /// The search is over; the problem is nil if the level is within the tolerance.
        case end(Problem?)
    }

    /// The reason why the wanted level was not reached.
    package enum Problem: Equatable, Sendable {
        case tooDark, tooBright, coarse, unsteady, noReadings, cancelled
        /// The camera refused a value: a sentence.
        case refused(String)
    }

    /// Values with their level, which is 1 if it is clipped.
    package struct Best: Equatable, Sendable {
        package var values: Values
        package var level: Double
    }

    private struct Sample: Equatable {
        var time: MonotonicTime
        var level: Double
    }

    /// The level that is wanted, as a share of the range of linear light.
    static let target = 0.8
    /// The difference from the target that is accepted.
    static let tolerance = 0.03
    /// The maximum number of changes.
    static let maxSteps = 8
    /// The maximum time of the whole search, in seconds.
    static let maxTime = 15.0
    /// The maximum time to wait for readings that agree after a change, in seconds.
    static let maxStepTime = 5.0
    /// The shortest time from a change to the first frame that shows it, in seconds.
    private static let minDelay = 0.2
    /// The number of frames that a camera captures before a change takes effect, with one to spare.
    private static let delayedFrames = 3.0
    /// The relative difference of two levels that counts as noise.
    private static let noise = 0.04
    /// The lowest 99th percentile that counts as clipped, in code values: some cameras saturate a little below 255.
    private static let clipped = 250

    private let start: MonotonicTime
    private let gain: Control?
    private var changed: MonotonicTime
    /// The values that the camera has now.
    private var values: Values
    private var search: LevelSearch
    private var setsGain = false
    /// The newest frame that shows the values.
    private var newest: Sample?
    /// The number of changes so far.
    private(set) var steps = 0
    /// The best values so far; nil until a level is known.
    package private(set) var best: Best?

    /// - Parameters:
    ///   - controls: The controls, of which no automatic one changes the exposure.
    ///   - now: The time when they were set.
    /// - Returns: Nil if there is no exposure that can be set.
    package init?(_ controls: [Control], at now: MonotonicTime) {
        guard let exposure = controls.exposureControl, let values = controls.exposureValues else { return nil }
        gain = controls.gainControl
        self.values = values
        search = LevelSearch(exposure)
        start = now
        changed = now
    }

    /// Records that the camera has other values.
    package mutating func change(to values: Values, at now: MonotonicTime) {
        self.values = values
        changed = now
        newest = nil
    }

    /// Returns the next action.
    package mutating func observe(_ reading: Reading, at now: MonotonicTime) -> Step {
        if now - start >= Self.maxTime || now - changed >= Self.maxStepTime {
            return .end(newest == nil ? .noReadings : .unsteady)
        }
        guard reading.state == .live, let frame = reading.frame, let statistics = reading.statistics,
            frame.time - changed >= Self.delay(rate: reading.rate.capture), frame.time != newest?.time
        else { return .wait }
        let level = Self.level(of: statistics)
        defer { newest = Sample(time: frame.time, level: level) }
        // The first frames after a change may still be captured with the old values, or between them.
        guard let before = newest?.level, abs(level - before) <= Self.noise * max(level, before) else { return .wait }
        return step(at: level)
    }

    private mutating func step(at level: Double) -> Step {
        if best.map({ abs(level - Self.target) < abs($0.level - Self.target) }) ?? true {
            best = Best(values: values, level: level)
        }
        if abs(level - Self.target) <= Self.tolerance { return .end(nil) }
        guard steps < Self.maxSteps else { return .end(.unsteady) }
        let current = setsGain ? values.gain ?? 0 : values.exposure
        if let next = search.next(after: current, level: level) {
            steps += 1
            return .set(
                setsGain ? Values(exposure: values.exposure, gain: next) : Values(exposure: next, gain: values.gain))
        }
        if search.isTooDark, !setsGain, let gain, let value = values.gain {
            setsGain = true
            search = LevelSearch(gain)
            if let next = search.next(after: value, level: level) {
                steps += 1
                return .set(Values(exposure: values.exposure, gain: next))
            }
        }
        return .end(search.isTooDark ? .tooDark : search.isTooBright ? .tooBright : .coarse)
    }

    /// The time from a change to the first frame that shows it, in seconds.
    private static func delay(rate: Double) -> Double {
        rate > 0 ? max(minDelay, min(delayedFrames / rate, maxStepTime / 2)) : minDelay
    }

    /// Returns the 99th percentile of the brightest channel, as linear light; 1 if it is clipped.
    static func level(of statistics: RegionStatistics) -> Double {
        let histogram = statistics.histogram
        let code = [histogram.r, histogram.g, histogram.b].map(percentile).max() ?? 0
        return code >= clipped ? 1 : SRGB.linear(Double(code) / 255)
    }

    /// Returns the lowest code value that is not exceeded by 99 % of the pixels.
    private static func percentile(_ counts: [Int]) -> Int {
        let total = counts.reduce(0, +)
        var below = 0
        return counts.firstIndex { count in
            below += count
            return below * 100 >= total * 99 && below > 0
        } ?? 0
    }
}

/// A search for the value of a control at which the light has the target level. A higher value gives more light, but
/// not always in proportion: many sensors have gains of 256 / (256 - value).
private struct LevelSearch: Equatable, Sendable {
    private struct Point: Equatable {
        var value: Int64
        var level: Double
    }

    /// The largest change of a value at once, as a factor: the level of a dark picture is mostly noise.
    private static let maxFactor = 16.0

    private let control: Control
    /// The largest value that is known to be too dark, and the smallest that is known to be too bright.
    private var (low, high): (Point?, Point?) = (nil, nil)

    init(_ control: Control) { self.control = control }

    /// Whether no value is bright enough, as far as is known.
    var isTooDark: Bool { high == nil }
    /// Whether no value is dark enough, as far as is known.
    var isTooBright: Bool { low == nil }

    /// Returns the next value to try; nil if none lies between those that are too dark and too bright.
    mutating func next(after value: Int64, level: Double) -> Int64? {
        let point = Point(value: value, level: level)
        if level < ExposureSetting.target { low = point } else { high = point }
        let middle = Double(low?.value ?? control.minimum) / 2 + Double(high?.value ?? control.maximum) / 2
        return candidate(guess(from: point) ?? middle) ?? candidate(middle)
            ?? (high == nil
                ? candidate(Double(control.maximum)) : low == nil ? candidate(Double(control.minimum)) : nil)
    }

    private func guess(from point: Point) -> Double? {
        if let low, let high, high.level < 1, high.level > low.level {
            let share = (ExposureSetting.target - low.level) / (high.level - low.level)
            return Double(low.value) + share * (Double(high.value) - Double(low.value))
        }
        guard point.value > 0 else { return nil }
        // It is unknown how far a clipped picture is beyond the range.
        let factor = point.level < 1 ? min(ExposureSetting.target / point.level, Self.maxFactor) : 0.5
        return Double(point.value) * factor
    }

    /// Returns the value that can be set and is nearest to a wanted one; nil if it is known to be too dark or too
    /// bright.
    private func candidate(_ wanted: Double) -> Int64? {
        let clamped = Int64(exactly: min(max(wanted, -0x1p62), 0x1p62).rounded()) ?? control.minimum
        guard case .number(let value) = control.settable(.number(clamped)),
            low.map({ value > $0.value }) ?? true, high.map({ value < $0.value }) ?? true
        else { return nil }
        return value
    }
}
