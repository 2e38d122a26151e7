import Color
import Handoff
import Readings
import V4L2

/// A video source that needs no camera: the whole picture has one colour, which moves slowly through a cycle of known
/// colours.
///
/// It keeps to its frame rate as a camera does, and drops frames that would be late.
struct TestPattern: ~Copyable, FrameSource {
    static let camera = Reading.Camera(id: "test-pattern", name: "Test pattern", device: nil)

    /// The colours of the cycle. Between two of them the pattern blends linearly.
    static let stops: [RGB8] = [
        RGB8(r: 230, g: 57, b: 70), RGB8(r: 244, g: 162, b: 97), RGB8(r: 233, g: 196, b: 106),
        RGB8(r: 42, g: 157, b: 143), RGB8(r: 63, g: 167, b: 214), RGB8(r: 38, g: 70, b: 83),
        RGB8(r: 131, g: 56, b: 236), RGB8(r: 241, g: 250, b: 238),
    ]
    /// The time from one colour of the cycle to the next, in seconds.
    static let secondsPerStop = 4.0

    let format: FrameFormat
    private(set) var counters = FrameCounters()
    private let clock: ThreadClock
    private let start: MonotonicTime
    private let framesPerSecond: Double
    private var next: UInt32 = 0
    private var pixels: [UInt8] = []
    private var painted: RGB8?

    /// - Parameters:
    ///   - width: The requested width, in pixels. At most 1920 are granted.
    ///   - height: The requested height, in pixels. At most 1080 are granted.
    ///   - clock: The clock by which it waits for the time of the next frame.
    init(width: Int, height: Int, framesPerSecond: Double, clock: ThreadClock = .system) {
        let (width, height) = (min(width, 1920), min(height, 1080))
        self.framesPerSecond = framesPerSecond
        self.clock = clock
        start = clock.now()
        format = FrameFormat(
            fourCC: "RGB3", width: width, height: height,
            planes: [.init(bytesPerLine: width * 3, sizeImage: width * height * 3)],
            colorimetry: Colorimetry(colorspace: .srgb, encoding: .bt601, quantization: .fullRange),
            framesPerSecond: framesPerSecond)
    }

    /// Returns the colour at a time after the start, in seconds.
    static func color(at seconds: Double) -> RGB8 {
        let position = seconds / secondsPerStop
        let index = Int(position.rounded(.down))
        let share = position - position.rounded(.down)
        let (from, to) = (stops[index % stops.count], stops[(index + 1) % stops.count])
        func blend(_ a: UInt8, _ b: UInt8) -> Double { Double(a) + (Double(b) - Double(a)) * share }
        return RGB(r: blend(from.r, to.r), g: blend(from.g, to.g), b: blend(from.b, to.b)).rounded
    }

    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        let due = time(of: next)
        if clock.wait(waker, min(due, deadline)) || deadline < due { return nil }
        let newest = max(next, UInt32(clamping: Int64((clock.now() - start) * framesPerSecond)))
        counters.note(arrived: newest, superseded: UInt64(newest - next))
        let timestamp = time(of: newest)
        paint(Self.color(at: timestamp - start))
        next = newest &+ 1
        return Frame.lend(FrameInfo(sequence: newest, timestamp: timestamp), bytes: pixels, to: body)
    }

    private func time(of frame: UInt32) -> MonotonicTime {
        start + Double(frame) / framesPerSecond
    }

    private mutating func paint(_ color: RGB8) {
        guard color != painted else { return }
        painted = color
        let row = (0..<format.width).flatMap { _ in [color.r, color.g, color.b] }
        pixels.removeAll(keepingCapacity: true)
        for _ in 0..<format.height { pixels += row }
    }
}
