import Color
import Pixels
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff

@Suite("The test pattern")
struct TestPatternTests {
    @Test("at the start, a patch of the test pattern reads as its published colour")
    func reads() throws {
        let time = ManualClock()
        var clocks = time.clocks
        clocks.wait = { _, _ in false }
        var source = TestPattern(width: 640, height: 480, framesPerSecond: 15, clocks: clocks)
        // Orange, the first of the second row.
        let region = Region(x: 0.07, y: 0.27, width: 0.06, height: 0.1)
        let analyser = try #require(
            try Analyser(layout: PictureLayout(source.format, colorimetry: .auto), region: region))
        let mean = try source.withNextFrame(before: time.now + 10, orUntil: Waker()) { frame in
            frame.withBytes(ofPlane: 0) { analyser.mean(of: $0) }
        }
        #expect(mean.flatMap { $0 }?.rounded == RGB8(r: 214, g: 126, b: 44))
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

    @Test("a frame of the test pattern is painted only if it is read")
    func unread() throws {
        var source = TestPattern(width: 5, height: 3, framesPerSecond: 15)
        _ = try source.withNextFrame(before: .now() + 10, orUntil: try Waker()) { $0.info }
        #expect(source.painter.bytes.isEmpty)
    }

    @Test("a frame of the test pattern that is read twice is painted once")
    func readTwice() throws {
        var source = TestPattern(width: 5, height: 3, framesPerSecond: 15)
        let painter = source.painter
        _ = try source.withNextFrame(before: .now() + 10, orUntil: try Waker()) { frame in
            var bytes: [UInt8] = []
            frame.copyBytes(ofPlane: 0, to: &bytes)
            // What another painting would replace.
            painter.paint(at: 30)
            frame.copyBytes(ofPlane: 0, to: &bytes)
            #expect(bytes == painter.bytes)
        }
    }

    @Test("the test pattern keeps to its frame rate, and drops the frames that would be late")
    func rate() throws {
        let time = ManualClock()
        var source = TestPattern(width: 4, height: 4, framesPerSecond: 2, clocks: time.clocks)
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

    @Test("the frames that pass while none is wanted are not counted as dropped")
    func rests() throws {
        let time = ManualClock()
        var source = TestPattern(width: 4, height: 4, framesPerSecond: 2, clocks: time.clocks)
        let waker = try Waker()
        source.rest(orUntil: waker)
        #expect(try source.withNextFrame(before: time.now + 1, orUntil: waker) { $0.info.sequence } == 2)
        #expect(source.counters.delivered == 3)
        #expect(source.counters.dropped == 0)
        time.advance(to: time.now + 1.2)
        #expect(try source.withNextFrame(before: time.now + 1, orUntil: waker) { $0.info.sequence } == 4)
        #expect(source.counters.dropped == 1)
    }

    @Test("the waker ends a rest, and the wait for a frame that follows")
    func restWoken() throws {
        var source = TestPattern(width: 4, height: 4, framesPerSecond: 0.001)
        let waker = try Waker()
        _ = try source.withNextFrame(before: .now() + 10, orUntil: waker) { _ in }
        waker.wake()
        source.rest(orUntil: waker)
        #expect(try source.withNextFrame(before: .now() + 600, orUntil: waker) { _ in } == nil)
    }
}
