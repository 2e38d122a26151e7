import Color
import Pixels
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff

@Suite("The test pattern")
struct TestPatternTests {
    @Test("the test pattern shows each known colour in turn and then starts over", arguments: 0..<16)
    func knownColors(index: Int) {
        let stops = TestPattern.stops
        #expect(TestPattern.color(at: Double(index) * TestPattern.secondsPerStop) == stops[index % stops.count])
    }

    @Test("no channel of the test pattern changes by more than a few codes from frame to frame")
    func slow() {
        for frame in 0..<480 {
            let (a, b) = (TestPattern.color(at: Double(frame) / 15), TestPattern.color(at: Double(frame + 1) / 15))
            #expect(abs(Int(a.r) - Int(b.r)) < 6 && abs(Int(a.g) - Int(b.g)) < 6 && abs(Int(a.b) - Int(b.b)) < 6)
        }
    }

    @Test("a reading of the test pattern is the colour that it shows")
    func reads() throws {
        var source = TestPattern(width: 31, height: 17, framesPerSecond: 240)
        let analyser = try #require(
            PictureLayout(source.format, colorimetry: .auto).flatMap { Analyser(layout: $0, region: .full) })
        let waker = try Waker()
        let mean = try source.withNextFrame(before: .now() + 10, orUntil: waker) { frame in
            frame.withBytes(ofPlane: 0) { analyser.mean(of: $0) }
        }
        // The first frame is due at the start, when the pattern has its first colour.
        let first = TestPattern.stops[0]
        let color = try #require(mean.flatMap { $0 }).rounded
        #expect(abs(Int(color.r) - Int(first.r)) < 6)
    }

    @Test("the waker interrupts the wait for a frame of the test pattern")
    func wakes() throws {
        var source = TestPattern(width: 4, height: 4, framesPerSecond: 0.001)
        let waker = try Waker()
        _ = try source.withNextFrame(before: .now() + 10, orUntil: waker) { _ in }
        waker.wake()
        #expect(try source.withNextFrame(before: .now() + 600, orUntil: waker) { _ in } == nil)
    }
}
