import Handoff

/// A watchdog that detects when a source falls silent. Drivers do not report it: a camera that hangs just stops
/// sending.
///
/// Silence begins after four frame periods, but not before 2 s. Until two frames have shown how far apart they really
/// are, it does not begin before 5 s.
struct SilenceWatchdog {
    /// The time allowed before the second frame, in seconds: exposure, firmware and USB hubs delay the first one, and a
    /// camera with a long exposure time delivers fewer frames than its driver promises.
    private static let startTimeout = 5.0
    /// The shortest time without a frame that counts as silence, in seconds.
    private static let minTimeout = 2.0

    private var period: Double
    private var last: MonotonicTime
    /// The number of frames so far, at most two.
    private var frames = 0

    /// - Parameters:
    ///   - period: The time from one frame to the next that the driver promised, in seconds.
    ///   - start: The time at which the source was opened.
    init(period: Double, start: MonotonicTime) {
        self.period = period
        last = start
    }

    /// Records a good frame.
    /// - Parameter period: The time from one frame to the next, in seconds, as promised or measured.
    mutating func recordFrame(at time: MonotonicTime, period: Double) {
        self.period = period
        last = time
        frames = min(frames + 1, 2)
    }

    /// The time at which the source counts as silent if no frame arrives before.
    var deadline: MonotonicTime { last + max(4 * period, frames < 2 ? Self.startTimeout : Self.minTimeout) }

    /// Returns the time without a frame, in seconds, if it is too long; else nil.
    func silence(at now: MonotonicTime) -> Double? { now >= deadline ? now - last : nil }
}
