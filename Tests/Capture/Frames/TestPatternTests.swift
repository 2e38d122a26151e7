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

    @Test("a frame of the test pattern has the bytes of the granted size, which 1920x1080 limits")
    func size() throws {
        var source = TestPattern(width: 5, height: 3, framesPerSecond: 15)
        let bytes = try source.withNextFrame(before: .now() + 10, orUntil: try Waker()) { frame in
            frame.withBytes(ofPlane: 0) { $0.byteCount }
        }
        #expect(bytes == 45)
        let large = TestPattern(width: 4000, height: 3000, framesPerSecond: 15).format
        #expect(large.width == 1920 && large.height == 1080)
        #expect(large.planes == [.init(bytesPerLine: 5760, sizeImage: 6_220_800)])
    }

    @Test("the test pattern keeps to its frame rate, and drops the frames that would be late")
    func rate() throws {
        let time = ManualClock()
        let clock = ThreadClock(
            now: { time.now },
            wait: { _, deadline in
                time.advance(to: deadline); return false
            })
        var source = TestPattern(width: 4, height: 4, framesPerSecond: 2, clock: clock)
        let waker = try Waker()
        let start = time.now
        var sequences: [UInt32?] = []
        for deadline in [0.1, 0.4, 0.5, 0.9, 1.1] {
            sequences.append(
                try source.withNextFrame(before: start + deadline, orUntil: waker) { $0.info.sequence })
        }
        time.advance(to: start + 5.2)
        sequences.append(try source.withNextFrame(before: start + 6, orUntil: waker) { $0.info.sequence })
        #expect(sequences == [0, nil, 1, nil, 2, 10])
        #expect(source.counters.superseded == 7)
        #expect(source.counters.delivered == 11)
    }
}
