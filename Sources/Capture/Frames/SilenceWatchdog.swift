import Handoff

/// A watchdog that detects when a source falls silent. Drivers do not report it: a camera that hangs just stops
/// sending.
///
/// Silence begins after four frame periods, but not before 2 s. Until two frames have shown how far apart they really
/// are, it does not begin before 5 s. Before the first frame, it begins after two of the promised periods, but not
/// before 5 s at the first attempt to open the source, 10 s at the second and 20 s at any later one: some cameras need
/// as long to wake up.
struct SilenceWatchdog {
    /// The times allowed before the first frame, in seconds, by the number of attempts that have failed: exposure,
    /// firmware and USB hubs delay it.
    private static let patience = [5.0, 10, 20]
    /// The time allowed between the first frame and the second, in seconds: a camera with a long exposure time delivers
    /// fewer frames than its driver promises.
    private static let startTimeout = 5.0
    /// The shortest time without a frame that counts as silence, in seconds.
    private static let minTimeout = 2.0

    private var period: Double
    private var last: MonotonicTime
    /// The shortest time without a frame that counts as silence now, in seconds.
    private var shortest: Double
    private var hasFrame = false

    /// - Parameters:
    ///   - period: The time from one frame to the next that the driver promised, in seconds.
    ///   - start: The time at which the source was opened.
    ///   - failures: The number of attempts to read the source that have failed before.
    init(period: Double, start: MonotonicTime, failures: Int = 0) {
        self.period = period
        last = start
        shortest = Self.patience[min(failures, Self.patience.count - 1)]
    }

    /// Records a good frame.
    /// - Parameter period: The time from one frame to the next, in seconds, as promised or measured.
    mutating func recordFrame(at time: MonotonicTime, period: Double) {
        self.period = period
        last = time
        shortest = hasFrame ? Self.minTimeout : Self.startTimeout
        hasFrame = true
    }

    /// The time at which the source counts as silent if no frame arrives before.
    var deadline: MonotonicTime { last + max((hasFrame ? 4 : 2) * period, shortest) }

    /// Returns the time without a frame, in seconds, if it is too long; else nil.
    func silence(at now: MonotonicTime) -> Double? { now >= deadline ? now - last : nil }
}
