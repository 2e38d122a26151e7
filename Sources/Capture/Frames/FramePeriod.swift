import Handoff

/// The time from one frame of a source to the next: as the driver promised it, or as measured if that is longer.
///
/// A camera with a long exposure time delivers fewer frames than its driver promises, and a driver may promise any rate
/// and stamp frames with any time. So a promised period is at most 5 s, and a measured one at most 20 s.
struct FramePeriod {
    /// The shortest period that is assumed until two frames have arrived, in seconds.
    private static let unmeasured = 1.0
    /// The longest periods that are believed, in seconds.
    private static let (longestPromised, longestMeasured) = (5.0, 20.0)

    private(set) var seconds: Double
    private let promised: Double
    private var last: (time: MonotonicTime, delivered: UInt64)?

    /// - Parameter framesPerSecond: The rate that the driver promised, if any.
    init(framesPerSecond: Double?) {
        promised = framesPerSecond.map { $0 > 0 ? min(1 / $0, Self.longestPromised) : 0 } ?? 0
        seconds = max(promised, Self.unmeasured)
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
        let measured = (time - last.time) / Double(delivered - last.delivered)
        seconds = min(max(promised, measured), Self.longestMeasured)
    }
}
