import Handoff

/// A watchdog that detects when a source falls silent. Drivers do not report it: a camera that hangs just stops
/// sending.
struct SilenceWatchdog {
    /// The time allowed before the first frame, in seconds: exposure, firmware and USB hubs delay it.
    private static let startTimeout = 5.0
    /// The shortest time without a frame that counts as silence, in seconds.
    private static let minTimeout = 2.0

    private let timeout: Double
    private var last: MonotonicTime
    private var hasStarted = false

    /// - Parameters:
    ///   - framesPerSecond: The rate that the driver promised; nil counts as 1. Silence begins after four frame
    ///     periods, but not before 2 s.
    ///   - start: The time at which the source was opened.
    init(framesPerSecond: Double?, start: MonotonicTime) {
        last = start
        timeout = max(Self.minTimeout, 4 / max(framesPerSecond ?? 1, 0.01))
    }

    /// Records a good frame.
    mutating func noteFrame(at time: MonotonicTime) {
        last = time
        hasStarted = true
    }

    /// The time at which the source counts as silent if no frame arrives before.
    var deadline: MonotonicTime { last + (hasStarted ? timeout : max(timeout, Self.startTimeout)) }

    /// Returns the time without a frame, in seconds, if it is too long; else nil.
    func silence(at now: MonotonicTime) -> Double? { now >= deadline ? now - last : nil }
}
