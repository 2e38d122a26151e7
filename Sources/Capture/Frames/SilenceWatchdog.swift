import Handoff
import V4L2

/// Notices that a source has fallen silent. Drivers do not tell: a camera that hangs just sends nothing more.
struct SilenceWatchdog {
    /// Cameras take their time to start: exposure, firmware, a USB hub.
    private static let patienceAtStart = 5.0
    private static let shortestPatience = 2.0

    private let patience: Double
    private var last: MonotonicTime
    private var hasStarted = false

    /// - Parameters:
    ///   - framesPerSecond: What the driver promised; four frames in a row may be missing.
    ///   - start: When the source was opened.
    init(framesPerSecond: Double?, start: MonotonicTime) {
        last = start
        patience = max(Self.shortestPatience, 4 / max(framesPerSecond ?? 1, 0.01))
    }

    mutating func noteFrame(at time: MonotonicTime) {
        last = time
        hasStarted = true
    }

    /// How long there has been no frame, in seconds, if that is too long.
    func silence(at now: MonotonicTime) -> Double? {
        let silence = now - last
        return silence > (hasStarted ? patience : max(patience, Self.patienceAtStart)) ? silence : nil
    }
}
