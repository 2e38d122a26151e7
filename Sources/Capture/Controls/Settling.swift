import Color
import Handoff
import Readings
import V4L2

/// A detector of when a camera's automatic controls have settled: neither their values nor the colour has changed for a
/// while.
struct Settling: Equatable, Sendable {
    /// The time without a change after which the controls count as settled, in seconds.
    static let stableTime = 1.5
    /// The time after which controls that never settle are locked anyway, in seconds.
    static let longestTime = 10.0
    /// The largest change of a channel's mean that counts as noise, in code values.
    static let tolerance = 0.5

    private struct Sample: Equatable {
        var mean: RGB?
        var values: [Control.Value?]
    }

    private let start: MonotonicTime
    private var now: MonotonicTime
    private var reference: Sample?
    private var stableSince: MonotonicTime

    init(at start: MonotonicTime) {
        self.start = start
        now = start
        stableSince = start
    }

    /// The time since the start, in seconds.
    var elapsed: Double { now - start }
    /// Whether nothing has changed for long enough.
    var isSettled: Bool { reference != nil && now - stableSince >= Self.stableTime }
    /// Whether the wait is over, settled or not.
    var isOver: Bool { isSettled || elapsed >= Self.longestTime }

    /// Records the values that the automatic controls have set, and the colour.
    mutating func note(_ controls: [Control], mean: RGB?, at time: MonotonicTime) {
        now = time
        let sample = Sample(
            mean: mean,
            values: AutoControl.colorControls.map { measured in controls.first { $0.id == measured.id }?.value })
        guard let reference, reference.values == sample.values, Self.isNear(reference.mean, mean) else {
            reference = sample
            stableSince = time
            return
        }
    }

    private static func isNear(_ one: RGB?, _ other: RGB?) -> Bool {
        guard let one, let other else { return false }
        return max(abs(one.r - other.r), abs(one.g - other.g), abs(one.b - other.b)) <= tolerance
    }
}
