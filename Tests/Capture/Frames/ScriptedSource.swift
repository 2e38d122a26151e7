import TestSupport
import V4L2

@testable import Capture
@testable import Documents
@testable import Handoff

/// A source on a manual clock. The test determines its frames and their times.
struct ScriptedSource: ~Copyable, FrameSource {
    /// The format of the frames: grey, 4 x 4 pixels, unless the test changes it.
    var format = FrameFormat(
        fourCC: "GREY", width: 4, height: 4, planes: [.init(bytesPerLine: 4, sizeImage: 16)],
        colorimetry: Colorimetry(ycbcrEncoding: .bt601, quantization: .fullRange),
        framesPerSecond: 15)
    /// The time from the capture of a frame to its delivery, in seconds.
    var latency = 0.0
    private(set) var counters = FrameCounters()
    /// The sequence numbers of the frames whose bytes were read.
    let read = Read()
    private let clock: ManualClock
    /// The frames to come, each a number of seconds after the one before.
    private var frames: [(due: MonotonicTime, bytes: [UInt8])] = []
    private var sequence: UInt32 = 0

    final class Read {
        var sequences: [UInt32] = []
    }

    init(_ clock: ManualClock) {
        self.clock = clock
    }

    /// Adds a frame whose pixels all have the same value.
    mutating func add(_ value: UInt8, after seconds: Double = 0.25) {
        add([UInt8](repeating: value, count: 16), after: seconds)
    }

    /// Adds a frame that is too short.
    mutating func addDamaged(after seconds: Double = 0.25) { add([1, 2, 3], after: seconds) }

    /// Adds a frame of these bytes.
    mutating func add(_ bytes: [UInt8], after seconds: Double = 0.25) {
        frames.append(((frames.last?.due ?? clock.now) + seconds, bytes))
    }

    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        guard let next = frames.first, next.due <= deadline else {
            clock.advance(to: deadline)
            return nil
        }
        clock.advance(to: next.due)
        frames.removeFirst()
        defer { sequence += 1 }
        counters.add(sequence: sequence, superseded: 0)
        let info = FrameInfo(sequence: sequence, timestamp: next.due + -latency)
        return body(
            Frame(info: info) { [read] in
                read.sequences.append(info.sequence)
                return next.bytes
            })
    }
}
