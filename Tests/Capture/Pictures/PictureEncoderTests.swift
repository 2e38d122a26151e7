import Foundation
import JPEG
import Logging
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Pixels

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

    @Test(
        "both views are rotated clockwise as the configuration says",
        arguments: [(0, "left"), (90, "top"), (180, "right"), (270, "bottom")], [FrameSample.rgbHalves, .yuyvHalves])
    func turned(turn: (degrees: Int, bright: String), frame: FrameSample) async throws {
        var config = Config()
        config.camera.rotate = turn.degrees
        let images = try await encode(frame, [.live, .processed], effect: "invert", config: config)
        let opposite = ["left": "right", "right": "left", "top": "bottom", "bottom": "top"]
        #expect(try brightSide(of: images[.live], degrees: turn.degrees) == turn.bright)
        #expect(try brightSide(of: images[.processed], degrees: turn.degrees) == opposite[turn.bright])
    }

    /// Returns which half of a picture is the brighter one.
    private func brightSide(of image: [UInt8]?, degrees: Int) throws -> String? {
        let (width, height) = degrees % 180 == 0 ? (16, 8) : (8, 16)
        var bitmap = try #require(Bitmap(width: width, height: height))
        let image = try #require(image)
        try JPEGDecoder.decode(unsafe image.span.bytes, into: &bitmap)
        func green(_ x: Int, _ y: Int) -> Int { Int(bitmap.bytes[4 * (y * width + x) + 1]) }
        let corners = [green(1, 1), green(width - 2, 1), green(1, height - 2), green(width - 2, height - 2)]
        return switch corners.map({ $0 > 127 }) {
        case [true, false, true, false]: "left"
        case [false, true, false, true]: "right"
        case [true, true, false, false]: "top"
        case [false, false, true, true]: "bottom"
        default: nil
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
            let image = try renderer.processed(stored, invert, quality: 90, encoder: encoder)
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
