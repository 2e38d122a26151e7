import Foundation
import JPEG
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Pixels

@Suite("The pictures that viewers get", .timeLimit(.minutes(20)))
struct PictureEncodingTests {
    private let hub = PictureHub()
    private let tap = PictureTap(hub: PictureHub())
    private let recorder = LogRecorder()

    /// Returns a copy of a frame.
    private func stored(
        _ sample: FrameSample, _ views: Set<Picture.View> = [.live], at time: MonotonicTime = .now()
    ) throws -> FrameCopy {
        let frame = Frame(info: FrameInfo(sequence: 1, timestamp: time)) { sample.bytes }
        tap.put(frame, format: sample.format, for: views)
        return try #require(tap.take())
    }

    /// Encodes a frame for a viewer that waits for it.
    private func picture(
        of frame: FrameCopy, _ view: Picture.View, _ config: Config, by encoder: inout PictureEncoder
    ) async throws -> Picture {
        let subscription = try #require(hub.join(view))
        let viewer = Task { await subscription.next(within: .seconds(3600)) }
        await waitUntil("a viewer is ready for a picture") { !hub.demand(at: .now()).isEmpty }
        encoder.encode(frame, config: config, for: hub)
        return try #require(await viewer.value)
    }

    private func green(_ x: Int, of picture: Picture) throws -> Int {
        var bitmap = try #require(Bitmap(width: 16, height: 8))
        let image = Array(picture.data)
        try JPEGDecoder.decode(unsafe image.span.bytes, into: &bitmap)
        return Int(bitmap.bytes[4 * x + 1])
    }

    @Test("frames that cannot be drawn are logged once and make no picture")
    func unknownFormat() throws {
        var encoder = try PictureEncoder(log: recorder.log)
        for _ in 1...3 { encoder.encode(try stored(FrameSample("XXXX", [1], [])), config: Config(), for: hub) }
        #expect(recorder.lines == ["No picture: frames of XXXX 16x8 cannot be drawn."])
        #expect(hub.counters == PictureCounters())
    }

    @Test("a problem with frames is logged once until another occurs")
    func problems() throws {
        var encoder = try PictureEncoder(log: recorder.log)
        let (short, text) = (FrameSample("YUYV", [1, 2, 3], []), FrameSample("MJPG", Array("text".utf8), []))
        for frame in [short, short, text, text, short] {
            encoder.encode(try stored(frame), config: Config(), for: hub)
        }
        #expect(
            recorder.lines == [
                "No picture: the frame is cut off.", "No picture: the frame is not a JPEG image.",
                "No picture: the frame is cut off.",
            ])
        #expect(hub.counters == PictureCounters())
    }

    @Test("an edit to the camera's orientation takes effect with the next frame")
    func edited() async throws {
        var config = Config()
        var encoder = try PictureEncoder(log: recorder.log)
        let before = try await picture(of: stored(.rgbHalves), .live, config, by: &encoder)
        config.camera.rotate = 180
        let after = try await picture(of: stored(.rgbHalves), .live, config, by: &encoder)
        #expect(try green(0, of: before) > 200 && green(15, of: before) < 50)
        #expect(try green(0, of: after) < 50 && green(15, of: after) > 200)
    }

    @Test("a picture carries the time at which its frame was captured")
    func time() async throws {
        var encoder = try PictureEncoder(log: recorder.log)
        let yesterday = try stored(.rgb, at: .now() + -86_400)
        let picture = try await picture(of: yesterday, .live, Config(), by: &encoder)
        #expect((82_800...90_000).contains(-picture.time.timeIntervalSinceNow))
    }

    @Test("the configured quality holds for both views", arguments: Picture.View.allCases)
    func quality(view: Picture.View) async throws {
        var generator = SeededGenerator(seed: 1)
        let noise = FrameSample("RGB3", (0..<384).map { _ in UInt8.random(in: 0...255, using: &generator) }, [])
        var config = Config()
        config.picture.effect = "invert"
        var encoder = try PictureEncoder(log: recorder.log)
        var sizes: [Int] = []
        for quality in [5, 50, 95] {
            config.picture.quality = quality
            sizes.append(try await picture(of: stored(noise, [view]), view, config, by: &encoder).data.count)
        }
        #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
    }

    @Test("a camera's JPEG image is passed on live, and encoded again with an effect")
    func counters() throws {
        let pixels = FrameSample.rgb.bytes
        let image = try JPEGEncoder().encode(
            unsafe pixels.span.bytes, order: .rgb, bytesPerLine: 48, width: 16, height: 8, quality: 90)
        var config = Config()
        config.picture.effect = "invert"
        var encoder = try PictureEncoder(log: recorder.log)
        encoder.encode(try stored(FrameSample("MJPG", image, []), [.live, .processed]), config: config, for: hub)
        #expect(hub.counters.passedOn == 1 && hub.counters.encoded == 1)
        encoder.encode(try stored(.rgb, [.live, .processed]), config: config, for: hub)
        #expect(hub.counters.passedOn == 1 && hub.counters.encoded == 3)
        encoder.encode(try stored(.rgb, [.processed]), config: config, for: hub)
        #expect(hub.counters.passedOn == 1 && hub.counters.encoded == 4)
    }
}
