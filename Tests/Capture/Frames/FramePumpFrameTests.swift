import Color
import Foundation
import JPEG
import Pixels
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The frames that the pump takes", .timeLimit(.minutes(20)))
struct FramePumpFrameTests {
    private let clock = ManualClock()
    private let readings = Latest(Reading.none)
    private let config = Latest(Settings())
    /// A demand by which readings are always wanted.
    private let lasting = Demand()
    private let interest: InterestToken
    private let waker: Waker

    init() throws {
        waker = try Waker()
        interest = lasting.watch()
    }

    private func pump(
        of source: borrowing ScriptedSource, demand: Demand? = nil, tap: PictureTap? = nil
    ) throws -> FramePump {
        let publisher = ReadingPublisher(
            settings: .init(config.value.effective), readings: readings, demand: demand ?? lasting, clocks: clock.clocks
        )
        return try FramePump(
            format: source.format, config: config, tap: tap, camera: Reading.Camera(id: "id", name: "name"),
            state: .live, publisher: publisher)
    }

    @Test("a frame that no reading needs still reaches a viewer of pictures")
    func picture() async throws {
        let hub = PictureHub()
        let tap = PictureTap(hub: hub)
        let drawing = Task { [config] in await PictureThread(config: config, tap: tap, log: .silent).run() }
        defer { drawing.cancel() }
        var source = ScriptedSource(clock)
        source.add(10, after: 0.01)
        source.add(200, after: 0.01)
        var pump = try pump(of: source, tap: tap)
        _ = try pump.step(&source, waker: waker)
        let subscription = try #require(hub.join(.live))
        let viewer = Task { await subscription.next(within: .seconds(3600))?.data }
        await waitUntil("a viewer is ready for a picture") { !hub.demand(at: clock.now).isEmpty }
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.rgb?.r == 10)
        let image = Array(try #require(await viewer.value))
        var bitmap = try #require(Bitmap(width: 4, height: 4))
        try JPEGDecoder.decode(unsafe image.span.bytes, into: &bitmap)
        #expect(abs(Int(bitmap.bytes[0]) - 200) <= 2)
    }

    @Test("a caller gets the next frame even if all frames take longer than two periods to arrive")
    func latency() throws {
        let demand = Demand(rest: Rest(waker))
        var source = ScriptedSource(clock)
        source.latency = 1
        for value in [10, 20, 30] as [UInt8] { source.add(value) }
        var pump = try pump(of: source, demand: demand)
        for _ in 1...2 { _ = try pump.step(&source, waker: waker) }
        #expect(readings.value.rgb?.r == 10)
        let answers = demand.requestReading()
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.rgb?.r == 30)
        withExtendedLifetime(answers) {}
    }

    @Test("readings that average several frames keep to the rate of readings")
    func rate() throws {
        config.update { ($0.effective.readings.frames, $0.effective.readings.rate) = (2, 4) }
        var source = ScriptedSource(clock)
        for _ in 1...20 { source.add(10, after: 0.1) }
        var pump = try pump(of: source)
        while source.counters.delivered < 20 { _ = try pump.step(&source, waker: waker) }
        #expect((8...10).contains(readings.value.sequence))
    }

    @Test("a frame that comes between two ticks shows that the camera is not silent")
    func betweenTicks() throws {
        config.update { $0.effective.readings.rate = 2.0 / 3 }
        var source = ScriptedSource(clock)
        for _ in 1...23 { source.add(10) }
        var pump = try pump(of: source)
        let start = clock.now
        // The frame at 4.5 s is the last that makes a reading; the one at 5.75 s is the last frame.
        while clock.now - start < 7.5 {
            if case .silent = try pump.step(&source, waker: waker) { Issue.record("the camera counts as silent") }
        }
        guard case .silent = try pump.step(&source, waker: waker) else {
            Issue.record("the camera does not count as silent")
            return
        }
    }

    @Test(
        "a reading has the size of its picture as people see it",
        arguments: [(0, 16, 8), (90, 8, 16), (180, 16, 8), (270, 8, 16)])
    func turned(degrees: Int, width: Int, height: Int) throws {
        var source = ScriptedSource(clock)
        source.format = FrameFormat(
            fourCC: "GREY", width: 16, height: 8, planes: [.init(bytesPerLine: 16, sizeImage: 128)],
            colorimetry: source.format.colorimetry, framesPerSecond: 15)
        source.add([UInt8](repeating: 128, count: 128))
        config.update { $0.effective.camera.rotate = degrees }
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.frame?.picture == Reading.Size(width: width, height: height))
        #expect(readings.value.frame?.width == 16)
    }

    @Test("a reading has the format of its frame and the time since it was captured")
    func frame() throws {
        var source = ScriptedSource(clock)
        source.format = FrameFormat(
            fourCC: "YUYV", width: 16, height: 8, planes: [.init(bytesPerLine: 32, sizeImage: 256)],
            colorimetry: Colorimetry(ycbcrEncoding: .bt709, quantization: .fullRange),
            framesPerSecond: 15)
        source.latency = 0.5
        source.add([UInt8](repeating: 128, count: 256))
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        #expect(
            readings.value.frame
                == Reading.Frame(
                    sequence: 0, width: 16, height: 8, format: "YUYV", colorimetry: "BT.709, full range", ageMs: 500,
                    time: clock.now + -0.5))
        #expect(readings.value.camera == Reading.Camera(id: "id", name: "name"))
    }
}
