import Foundation
import JPEG
import Logging
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Pixels
@testable import State

/// Tests with real encoders and frames of one colour.
@Suite("The picture encoder", .timeLimit(.minutes(20)))
struct PictureEncoderTests {
    private let hub = PictureHub()
    private let tap = PictureTap(hub: PictureHub())

    private func encode(
        _ frame: FrameSample, _ views: Set<Picture.View>, effect: String = "none", config: Config = Config()
    ) async throws -> [Picture.View: [UInt8]] {
        let subscriptions = try views.map { try #require(hub.join($0)) }
        let viewers = zip(views, subscriptions).map { view, subscription in
            Task { (view, await subscription.next(within: .seconds(3600))?.data) }
        }
        await waitUntil("viewers of all views are ready for a picture") { hub.demand(at: .now()) == views }
        frame.lend { tap.put($0, format: frame.format, for: views) }
        let stored = try #require(tap.take())
        var config = config
        config.picture.effect = effect
        var encoder = try PictureEncoder(log: Logger(label: "test"))
        encoder.encode(stored, config: config, for: hub)
        var images: [Picture.View: [UInt8]] = [:]
        for viewer in viewers {
            let (view, data) = await viewer.value
            images[view] = data.map { Array($0) }
        }
        return images
    }

    private func color(of image: [UInt8]?, width: Int = 16, height: Int = 8) throws -> [Int] {
        var bitmap = try #require(Bitmap(width: width, height: height))
        let image = try #require(image)
        try JPEGDecoder.decode(unsafe image.span.bytes, into: &bitmap)
        return bitmap.bytes.prefix(3).map { Int($0) }
    }

    @Test("the picture encoder draws a frame in its colour", arguments: FrameSample.all)
    func live(frame: FrameSample) async throws {
        let images = try await encode(frame, [.live])
        let color = try color(of: images[.live])
        #expect(zip(color, frame.color).allSatisfy { abs($0 - $1) <= 3 }, "\(color)")
        #expect(hub.counters.encoded == 1)
    }

    @Test("without an effect, a frame is encoded once for both views")
    func once() async throws {
        let images = try await encode(.rgb, [.live, .processed])
        #expect(images[.live] == images[.processed])
        #expect(hub.counters.encoded == 1)
    }

    @Test("an effect is visible only in the processed view")
    func processed() async throws {
        let images = try await encode(.rgb, [.live, .processed], effect: "invert")
        let (live, processed) = (try color(of: images[.live]), try color(of: images[.processed]))
        #expect(zip(live, processed).allSatisfy { abs($0 + $1 - 255) <= 4 })
        #expect(hub.counters.encoded == 2)
    }

    @Test("with the effect of targets, a frame within a target keeps its colour, and another one becomes dark grey")
    func targets() async throws {
        let (red, green, blue) = (200.0, 100.0, 50.0)
        for distance in [0.0, 40] {
            var config = Config()
            config.targets = [
                try Config.Target(
                    .table([
                        "name": .string("Here"), "color": .string("rgb(\(red) \(green) \(blue - distance))"),
                        "tolerance": .float(3),
                    ]))
            ]
            let images = try await encode(.rgb, [.processed], effect: "targets", config: config)
            let color = try color(of: images[.processed])
            let grey = Int((0.2126 * red + 0.7152 * green + 0.0722 * blue) / 4)
            let expected = distance == 0 ? FrameSample.rgb.color : [grey, grey, grey]
            #expect(zip(color, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(color)")
        }
    }

    @Test("frames drawn one after another do not affect each other", arguments: [0, 90])
    func several(degrees: Int) throws {
        let orientation = Orientation(rotation: degrees == 0 ? .degrees0 : .degrees90, isMirrored: false)
        let other = FrameSample(
            "RGB3", [[UInt8]](repeating: [10, 220, 130], count: 128).flatMap { $0 }, [10, 220, 130])
        let invert = try #require(Effects.named("invert"))
        let encoder = try JPEGEncoder()
        var renderer = try #require(FrameRenderer(other.format, colorimetry: .auto, orientation: orientation))
        for frame in [FrameSample.rgb, other, .rgb] {
            frame.lend { tap.put($0, format: frame.format, for: [.processed]) }
            let stored = try #require(tap.take())
            let image = try renderer.processed(stored, quality: 90, encoder: encoder) { invert.apply(to: &$0) }
            let (width, height) = degrees == 0 ? (16, 8) : (8, 16)
            let color = try color(of: image, width: width, height: height)
            #expect(zip(color, frame.color).allSatisfy { abs($0 + $1 - 255) <= 3 }, "\(color)")
        }
    }

    @Test("a camera's JPEG image is passed on unchanged, without the bytes after its end")
    func passedOn() async throws {
        let encoder = try JPEGEncoder()
        let pixels = [UInt8](repeating: 90, count: 4 * 16 * 8)
        let image = try encoder.encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * 16, width: 16, height: 8, quality: 90)
        let images = try await encode(FrameSample("MJPG", image + [0, 0, 0], []), [.live])
        #expect(images[.live] == image)
        #expect(hub.counters.passedOn == 1 && hub.counters.encoded == 0)
    }

    @Test(
        "a damaged frame makes no picture, and the next frame does",
        arguments: [FrameSample("YUYV", [1, 2, 3], []), FrameSample("MJPG", [0xFF, 0xD8, 0xFF], [])])
    func damaged(frame: FrameSample) async throws {
        let subscription = try #require(hub.join(.live))
        let picture = Task { await subscription.next(within: .seconds(3600))?.data }
        await waitUntil("a viewer is ready for a picture") { !hub.demand(at: .now()).isEmpty }
        var encoder = try PictureEncoder(log: Logger(label: "test"))
        for frame in [frame, .rgb] {
            frame.lend { tap.put($0, format: frame.format, for: [.live]) }
            encoder.encode(try #require(tap.take()), config: Config(), for: hub)
        }
        let color = try color(of: await picture.value.map { Array($0) })
        #expect(zip(color, FrameSample.rgb.color).allSatisfy { abs($0 - $1) <= 3 }, "\(color)")
        #expect(hub.counters.encoded == 1 && hub.counters.passedOn == 0)
    }

    @Test("a frame that lacks its last byte is refused as truncated", arguments: FrameSample.all)
    func truncated(frame: FrameSample) throws {
        let short = FrameSample(frame.format.fourCC, Array(frame.bytes.dropLast()), [])
        short.lend { tap.put($0, format: short.format, for: [.live]) }
        let stored = try #require(tap.take())
        var renderer = try #require(FrameRenderer(short.format, colorimetry: .auto, orientation: .upright))
        let encoder = try JPEGEncoder()
        #expect(throws: JPEGError.truncated) { try renderer.live(stored, quality: 90, encoder: encoder) }
    }

    @Test(
        "a JPEG image that lacks a part of its picture is not passed on; one that was read is not checked again",
        arguments: [(0, false, true), (6, false, false), (6, true, true)])
    func torn(missing: Int, isRead: Bool, isPassedOn: Bool) throws {
        let encoder = try JPEGEncoder()
        let pixels = FrameSample.rgbHalves.bytes
        let whole = try encoder.encode(
            unsafe pixels.span.bytes, order: .rgb, bytesPerLine: 48, width: 16, height: 8,
            quality: 90)
        let frame = FrameSample("MJPG", whole.dropLast(2 + missing) + [0xFF, 0xD9], [])
        frame.lend { tap.put($0, format: frame.format, isRead: isRead, for: [.live]) }
        let stored = try #require(tap.take())
        var renderer = try #require(FrameRenderer(frame.format, colorimetry: .auto, orientation: .upright))
        let image = try? renderer.live(stored, quality: 90, encoder: encoder)
        #expect(image == (isPassedOn ? frame.bytes : nil))
    }
}

@Suite("The tap for pictures", .timeLimit(.minutes(20)))
struct PictureTapTests {
    @Test("the tap keeps the newest frame")
    func newest() throws {
        let tap = PictureTap(hub: PictureHub())
        for value: UInt8 in 1...3 {
            let frame = FrameSample("GREY", [UInt8](repeating: value, count: 128), [])
            frame.lend { tap.put($0, format: frame.format, for: [.live]) }
        }
        #expect(try #require(tap.take()).planes == [[UInt8](repeating: 3, count: 128)])
    }

    @Test("a closed tap returns no frame, not even one that waited")
    func closed() {
        let tap = PictureTap(hub: PictureHub())
        let frame = FrameSample("GREY", [UInt8](repeating: 1, count: 128), [])
        frame.lend { tap.put($0, format: frame.format, for: [.live]) }
        tap.close()
        #expect(tap.take() == nil)
    }
}

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

@Suite("The copy of a frame")
struct FrameCopyTests {
    /// Copies a frame with one memory plane into the memory of one with two.
    private func copy() -> FrameCopy? {
        var result: FrameCopy?
        FrameSample.grey.lend { frame in
            result = FrameCopy(frame, format: FrameSample.grey.format, views: [.live], in: [[1, 2], [3, 4]])
        }
        return result
    }

    @Test("the bytes of an earlier frame are replaced, and a plane that only that frame had has none")
    func planes() {
        #expect(copy()?.plane(0) == [UInt8](repeating: 77, count: 128))
        #expect(copy()?.plane(1) == [])
    }
}
