import Handoff

/// The time from one frame of a source to the next: as the driver promised it, or as measured if that is longer.
///
/// A camera with a long exposure time delivers fewer frames than its driver promises.
struct FramePeriod {
    /// The period that is assumed until two frames have arrived if the driver promises nothing, in seconds.
    private static let unknown = 1.0

    /// The period, in seconds.
    private(set) var seconds: Double
    private let promised: Double?
    private var last: (time: MonotonicTime, delivered: UInt64)?

    /// - Parameter framesPerSecond: The rate that the driver promised, if any.
    init(framesPerSecond: Double?) {
        promised = framesPerSecond.flatMap { $0 > 0 ? 1 / $0 : nil }
        seconds = promised ?? Self.unknown
    }

    /// Records a frame.
    /// - Parameters:
    ///   - time: The time of capture.
    ///   - delivered: The number of frames delivered so far, including this one. Frames in between may not have been
    ///     recorded.
    mutating func record(_ time: MonotonicTime, delivered: UInt64) {
        defer { last = (time, delivered) }
        // A driver may stamp a frame with any time, even two frames with the same time.
        guard let last, delivered > last.delivered, time > last.time else { return }
        seconds = max(promised ?? 0, (time - last.time) / Double(delivered - last.delivered))
    }
}
