import Color
import Handoff

/// A detector of when the colour of a camera that was just opened holds: many begin with dark frames, and adjust their
/// exposure and white balance for a second or two.
///
/// The colour holds when it has not changed for a second, and counts as holding after a limit even if it has. Black does
/// not hold: some cameras deliver nothing else at first.
struct ColorSettling {
    /// The time without a change after which a colour holds, in seconds.
    private static let stableTime = 1.0
    /// The largest change of a channel's mean that is not counted as one, in code values.
    private static let tolerance = 1.0

    /// The time after the first frame, in seconds, at which the colour counts as holding.
    private let limit: Double
    private var start: MonotonicTime?
    private var reference: (mean: RGB, time: MonotonicTime)?

    init(limit: Double) { self.limit = limit }

    /// Records the colour of a frame.
    /// - Returns: Whether it holds.
    mutating func observe(_ mean: RGB, at time: MonotonicTime) -> Bool {
        let start = start ?? time
        self.start = start
        guard time - start < limit else { return true }
        guard let reference, reference.mean.isEqual(to: mean, within: Self.tolerance),
            mean.values.contains(where: { $0 >= 1 })
        else {
            reference = (mean, time)
            return false
        }
        return time - reference.time >= Self.stableTime
    }
}
