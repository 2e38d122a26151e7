import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Documents
@testable import Handoff

/// A source on a manual clock whose frames accumulate in the driver as a camera's do, at most five.
///
/// Frame k is captured k periods after the start, and its pixels are all k.
struct BufferingSource: ~Copyable, FrameSource {
    private static let buffers: UInt32 = 5

    let format: FrameFormat
    private(set) var counters = FrameCounters()
    /// The number of rests so far.
    private(set) var rests = 0
    /// The event during the next rest, and its time after the start of the rest, in seconds. An event after the end
    /// prolongs the rest.
    var duringRest: (after: Double, event: () -> Void)?
    /// The event during the wait for the next frame.
    var duringWait: (() -> Void)?
    private let clock: ManualClock
    private let period: Double
    private let start: MonotonicTime
    private var next: UInt32 = 0
    private var queueEmptiedAt: MonotonicTime

    /// - Parameters:
    ///   - period: The time from one frame to the next, in seconds.
    ///   - promised: The period that the driver promises, if it differs.
    init(_ clock: ManualClock, period: Double, promised: Double? = nil) {
        self.clock = clock
        self.period = period
        start = clock.now
        queueEmptiedAt = clock.now
        format = FrameFormat(
            fourCC: "GREY", width: 4, height: 4, planes: [.init(bytesPerLine: 4, sizeImage: 16)],
            colorimetry: Colorimetry(ycbcrEncoding: .bt601, quantization: .fullRange),
            framesPerSecond: 1 / (promised ?? period))
    }

    /// Returns the time at which a frame is captured.
    func time(of frame: UInt32) -> MonotonicTime { start + Double(frame) * period }

    /// Loses the next frames before they reach the driver's buffers.
    mutating func lose(_ frames: UInt32) {
        next += frames
        counters.missing += UInt64(frames)
    }

    mutating func rest(orUntil waker: Waker) {
        rests += 1
        let end = queueEmptiedAt + 3 / (format.framesPerSecond ?? 1)
        if let (after, event) = duringRest {
            duringRest = nil
            clock.advance(by: after)
            event()
        }
        if waker.wait(until: .now()) { waker.wake() } else { clock.advance(to: end) }
    }

    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        if waker.wait(until: .now()) { return nil }
        if time(of: next) > clock.now {
            duringWait?()
            duringWait = nil
            clock.advance(to: min(time(of: next), deadline))
            if time(of: next) > clock.now { return nil }
        }
        let captured = UInt32((clock.now - start) / period + 1e-6)
        let newest = min(captured, next + Self.buffers - 1)
        // As in `Camera`, older frames were left in the driver on purpose.
        counters.delivered += UInt64(newest - next) + 1
        // Frames without a free buffer are lost.
        counters.missing += UInt64(captured - newest)
        next = captured + 1
        queueEmptiedAt = clock.now
        let info = FrameInfo(sequence: newest, timestamp: time(of: newest))
        return body(Frame(info: info) { [UInt8](repeating: UInt8(clamping: newest), count: 16) })
    }
}
