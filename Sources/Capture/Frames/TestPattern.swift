import Documents
import Handoff
import Pixels
import Readings
import State
import V4L2

/// A video source that needs no camera: a painted scene under a lamp that changes slowly, with a little noise.
///
/// It keeps to its frame rate as a camera does, and drops frames that would be late. A frame is painted when it
/// is first read. Its bytes depend only on its size, on its time after the start, and on the controls of the scene.
/// docs/test-pattern.md says which colours are to be expected where and when.
struct TestPattern: ~Copyable, FrameSource {
    static let camera = Reading.Camera(id: "test-pattern", name: "Test pattern", device: nil)

    /// The maximum time between frames while none is wanted, in seconds.
    private static let maxRest = 1.0

    let format: FrameFormat
    private(set) var counters = FrameCounters()
    private let clocks: Clocks
    private let start: MonotonicTime
    private let framesPerSecond: Double
    private var next: UInt32 = 0
    /// Whether no frame was wanted since the last one, so that those in between do not count as superseded.
    private var hasSkippedUnwanted = false
    let painter: TestPatternPainter
    private let controls: Latest<SceneControls>

    /// - Parameters:
    ///   - width: The requested width, in pixels. At most 1920 are granted.
    ///   - height: The requested height, in pixels. At most 1080 are granted.
    ///   - controls: The settings of the scene, which may change at any time.
    ///   - clocks: The clocks that time the wait for the next frame.
    init(
        width: Int, height: Int, framesPerSecond: Double, controls: Latest<SceneControls> = Latest(SceneControls()),
        clocks: Clocks = Clocks()
    ) {
        let (width, height) = (min(width, 1920), min(height, 1080))
        self.framesPerSecond = framesPerSecond
        self.controls = controls
        self.clocks = clocks
        start = clocks.now()
        painter = TestPatternPainter(width: width, height: height)
        format = FrameFormat(
            fourCC: "RGB3", width: width, height: height,
            planes: [.init(bytesPerLine: width * 3, sizeImage: width * height * 3)],
            colorimetry: Colorimetry(ycbcrEncoding: .bt601, quantization: .fullRange),
            framesPerSecond: framesPerSecond)
    }

    /// Lets the time of some frames pass without lending them. They count as delivered, not as superseded.
    mutating func rest(orUntil waker: Waker) {
        hasSkippedUnwanted = true
        // Measured from the next frame, so that a rest that was ended early may be continued.
        if clocks.wait(waker, time(of: next) + Self.maxRest) { waker.wake() }
    }

    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        let due = time(of: next)
        if clocks.wait(waker, min(due, deadline)) || deadline < due { return nil }
        let newest = max(next, UInt32(clamping: Int64((clocks.now() - start) * framesPerSecond)))
        let skipped = UInt64(newest - next)
        counters.add(sequence: newest, superseded: hasSkippedUnwanted ? 0 : skipped)
        if hasSkippedUnwanted { counters.delivered += skipped }
        hasSkippedUnwanted = false
        next = newest &+ 1
        let (painter, seconds, controls) = (painter, Double(newest) / framesPerSecond, controls.value)
        var isPainted = false
        return body(
            Frame(info: FrameInfo(sequence: newest, timestamp: time(of: newest))) {
                if !isPainted { painter.paint(at: seconds, controls) }
                isPainted = true
                return painter.bytes
            })
    }

    private func time(of frame: UInt32) -> MonotonicTime {
        start + Double(frame) / framesPerSecond
    }
}
