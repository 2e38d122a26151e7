import Handoff
import Readings
import V4L2

/// Tells when a camera's automatics have come to rest: neither what they set nor the colour has moved for a while.
struct Settling: Equatable, Sendable {
    /// How long nothing may move, in seconds.
    static let restTime = 1.5
    /// Automatics that hunt for ever are locked all the same, after so many seconds.
    static let longestTime = 10.0
    /// What counts as no movement of a channel, in code values: noise of a mean.
    static let tolerance = 0.5

    private struct Sample: Equatable {
        var mean: Reading.Channels<Double>?
        var values: [Control.Value?]
    }

    private let start: MonotonicTime
    private var now: MonotonicTime
    private var reference: Sample?
    private var restingSince: MonotonicTime

    init(at start: MonotonicTime) {
        self.start = start
        now = start
        restingSince = start
    }

    /// In seconds.
    var elapsed: Double { now - start }
    var isSettled: Bool { reference != nil && now - restingSince >= Self.restTime }
    /// Whether to wait no longer.
    var isOver: Bool { isSettled || elapsed >= Self.longestTime }

    /// Takes note of what the automatics have set, and of the colour.
    mutating func note(_ controls: [Control], mean: Reading.Channels<Double>?, at time: MonotonicTime) {
        now = time
        let sample = Sample(
            mean: mean,
            values: AutoControl.measured.map { measured in controls.first { $0.id == measured.id }?.value })
        guard let reference, reference.values == sample.values, Self.isNear(reference.mean, mean) else {
            reference = sample
            restingSince = time
            return
        }
    }

    private static func isNear(_ one: Reading.Channels<Double>?, _ other: Reading.Channels<Double>?) -> Bool {
        guard let one, let other else { return false }
        return max(abs(one.r - other.r), abs(one.g - other.g), abs(one.b - other.b)) <= tolerance
    }
}
