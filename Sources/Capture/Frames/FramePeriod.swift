import Handoff
import V4L2

/// The time from one frame of a source to the next: as the driver promised it, or as it is where that is longer. A
/// camera that exposes for a long time delivers fewer frames than its driver says.
struct FramePeriod {
    /// For a driver that promises nothing, until two frames have come, in seconds.
    private static let unknown = 1.0

    /// In seconds.
    private(set) var seconds: Double
    private let promised: Double?
    private var last: (time: MonotonicTime, delivered: UInt64)?

    /// - Parameter framesPerSecond: What the driver promised; nil: nothing.
    init(framesPerSecond: Double?) {
        promised = framesPerSecond.flatMap { $0 > 0 ? 1 / $0 : nil }
        seconds = promised ?? Self.unknown
    }

    /// Takes note of a frame.
    /// - Parameters:
    ///   - time: When it was captured.
    ///   - delivered: How many frames were delivered so far, this one included: those between this one and the last
    ///     may have gone back unseen.
    mutating func note(_ time: MonotonicTime, delivered: UInt64) {
        defer { last = (time, delivered) }
        // A driver may stamp a frame with any time, and two with the same one.
        guard let last, delivered > last.delivered, time > last.time else { return }
        seconds = max(promised ?? 0, (time - last.time) / Double(delivered - last.delivered))
    }
}
