import Color
import Foundation
import JPEG
import Pixels
import TestSupport
import Testing
import Untrusted
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings
@testable import State

@Suite("The frame pump", .timeLimit(.minutes(20)))
final class FramePumpTests: PumpSuite {
    /// A demand by which readings are wanted only while a test asks for them.
    private let idle = Demand()

    /// Returns the red values of the readings of frames with these values, four a second.
    private func reds(of values: [UInt8?], frames: Int = 1) throws -> [UInt8?] {
        config.update { $0.effective.readings.frames = frames }
        var source = ScriptedSource(clock)
        for value in values { if let value { source.add(value) } else { source.addDamaged() } }
        var pump = try pump(of: source)
        return try values.map { _ in
            _ = try pump.step(&source, waker: waker)
            return readings.value.rgb?.r
        }
    }

    @Test("a reading is of a single frame if the configuration says so")
    func single() throws {
        #expect(try reds(of: [10, 200, 90]) == [10, 200, 90])
        #expect(readings.value.state == .live)
        #expect(readings.value.frame?.sequence == 2)
    }

    @Test(
        "a reading is the mean of the newest frames, as many as the configuration says",
        arguments: [(2, [15, 23, 60, 50]), (3, [15, 23, 45, 43]), (60, [15, 23, 45, 36])])
    func several(frames: Int, means: [UInt8]) throws {
        #expect(try reds(of: [15, 30, 90, 10], frames: frames) == means)
    }

    @Test("statistics are those of the newest frame, whatever number of frames a reading averages", arguments: [1, 3])
    func newest(frames: Int) throws {
        _ = try reds(of: [15, 30, 90, 10], frames: frames)
        let statistics = try #require(readings.value.statistics)
        #expect(statistics.minimum.r == 10 && statistics.median.g == 10 && statistics.maximum.b == 10)
        #expect(statistics.pixels == 16 && statistics.histogram.g[10] == 16)
    }

    @Test("the bytes of a frame that no reading needs are not touched")
    func untouched() throws {
        var source = ScriptedSource(clock)
        for _ in 1...8 { source.add(100, after: 0.125) }
        var pump = try pump(of: source)
        while readings.value.frame?.sequence != 5 { _ = try pump.step(&source, waker: waker) }
        #expect(source.read.sequences == [0, 1, 3, 5])
    }

    @Test("a frame that is too short makes no reading and is counted as dropped")
    func damaged() throws {
        #expect(try reds(of: [nil, 10, nil, nil, 20]) == [nil, 10, 10, 10, 20])
        #expect(readings.value.dropped == 3)
    }

    @Test("after the region is edited, frames read before no longer count")
    func editedRegion() throws {
        config.update { $0.effective.readings.frames = 3 }
        var source = ScriptedSource(clock)
        for value in [10, 20, 30, 100, 200] as [UInt8] { source.add(value) }
        var pump = try pump(of: source)
        for _ in 1...3 { _ = try pump.step(&source, waker: waker) }
        #expect(readings.value.rgb?.r == 20)
        config.update { $0.effective.readings.region = Region(x: 0, y: 0, width: 0.5, height: 0.5) }
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.rgb?.r == 100)
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.rgb?.r == 150)
        #expect(readings.value.region.width == 0.5)
    }

    @Test("an edit to another setting keeps the frames that were read")
    func editedRate() throws {
        config.update { $0.effective.readings.frames = 2 }
        var source = ScriptedSource(clock)
        for value in [10, 20] as [UInt8] { source.add(value) }
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        config.update { $0.effective.picture.effect = "invert" }
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.rgb?.r == 15)
        #expect(readings.value.effect == "invert")
    }

    /// Returns the numbers of the steps, counted from 1, after which the readings begin to have statistics.
    private func stepsToNoise(of count: Int, frames: Int, edit: (step: Int, change: (inout Config) -> Void)? = nil)
        throws -> [Int]
    {
        config.update { $0.effective.readings.frames = frames }
        var source = ScriptedSource(clock)
        for _ in 1...count { source.add(100) }
        var pump = try pump(of: source)
        var (steps, hadNoise): ([Int], Bool) = ([], false)
        for step in 1...count {
            if let edit, edit.step == step { config.update { edit.change(&$0.effective) } }
            _ = try pump.step(&source, waker: waker)
            let hasNoise = readings.value.stability.noise != nil
            if hasNoise, !hadNoise { steps.append(step) }
            hadNoise = hasNoise
        }
        return steps
    }

    @Test("only readings that share no frame are observations of noise", arguments: [(1, [8]), (3, [24]), (5, [40])])
    func independent(frames: Int, steps: [Int]) throws {
        #expect(try stepsToNoise(of: 48, frames: frames) == steps)
    }

    @Test("a reading has the times of the first and the last frame that it averages", arguments: [1, 3])
    func times(frames: Int) throws {
        config.update { $0.effective.readings.frames = frames }
        var source = ScriptedSource(clock)
        for _ in 1...5 { source.add(100) }
        var pump = try pump(of: source)
        for _ in 1...5 { _ = try pump.step(&source, waker: waker) }
        let frame = try #require(readings.value.frame)
        #expect(frame.time == clock.now)
        #expect(frame.time - frame.firstTime == 0.25 * Double(frames - 1))
    }

    @Test("an edit that changes how pictures are read starts the statistics again")
    func disturbance() throws {
        #expect(try stepsToNoise(of: 20, frames: 1, edit: (10, { $0.camera.mirror = true })) == [8, 17])
        #expect(try stepsToNoise(of: 20, frames: 1, edit: (10, { $0.readings.average = .linear })) == [8, 17])
        #expect(try stepsToNoise(of: 20, frames: 1, edit: (10, { $0.picture.effect = "invert" })) == [8])
    }

    @Test("another source starts the statistics again")
    func anotherSource() throws {
        #expect(try stepsToNoise(of: 9, frames: 1) == [8])
        let publisher = ReadingPublisher(
            settings: .init(config.value.effective), readings: readings, demand: demand, clocks: clock.clocks)
        for _ in 1...2 {
            var source = ScriptedSource(clock)
            for _ in 1...7 { source.add(100) }
            var pump = try FramePump(
                format: source.format, config: config, camera: Reading.Camera(id: "id", name: "name"), state: .live,
                publisher: publisher)
            for _ in 1...7 { _ = try pump.step(&source, waker: waker) }
            #expect(readings.value.stability.noise == nil)
        }
    }

    @Test("a frame counted in another unit is not averaged with those before it")
    func greyAfterColor() throws {
        config.update { $0.effective.readings.frames = 2 }
        var source = ScriptedSource(clock)
        source.format = FrameFormat(
            fourCC: "MJPG", width: 16, height: 16, planes: [.init(bytesPerLine: 0, sizeImage: 4096)],
            colorimetry: source.format.colorimetry, framesPerSecond: 15)
        for (luma, shifts) in [(100, (x: 0, y: 0)), (80, nil), (60, nil)] as [(UInt8, (x: Int, y: Int)?)] {
            source.add(try Self.image(luma: luma, chromaShifts: shifts))
        }
        var pump = try pump(of: source)
        let reds = try (1...3).map { _ in
            _ = try pump.step(&source, waker: waker)
            return readings.value.rgb?.r
        }
        #expect(reds == [100, 80, 70])
    }

    /// Encodes a uniform grey image, with chroma or without.
    private static func image(luma: UInt8, chromaShifts: (x: Int, y: Int)?) throws -> [UInt8] {
        let (y, chroma) = ([UInt8](repeating: luma, count: 256), [UInt8](repeating: 128, count: 256))
        return try unsafe JPEGEncoder().encode(
            (y.span.bytes, chroma.span.bytes, chroma.span.bytes), bytesPerLine: [16, 16, 16], width: 16, height: 16,
            chromaShifts: chromaShifts, quality: 90)
    }

    @Test("an edit after which the frames cannot be decoded is reported, and does not keep the old decoding")
    func unsupported() throws {
        config.update { $0.effective.camera.colorimetry = .bt2020Full }
        var source = ScriptedSource(clock)
        source.format = FrameFormat(
            fourCC: "YUYV", width: 16, height: 16, planes: [.init(bytesPerLine: 32, sizeImage: 512)],
            colorimetry: Colorimetry(ycbcrEncoding: .bt2020ConstantLuminance, quantization: .fullRange),
            framesPerSecond: 15)
        for _ in 1...2 { source.add([UInt8](repeating: 128, count: 512)) }
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.rgb?.r == 128)
        config.update { $0.effective.camera.colorimetry = .auto }
        guard case .unsupported(let problem) = try pump.step(&source, waker: waker) else {
            Issue.record("the frame was read")
            return
        }
        #expect(problem.reason.contains("constant luminance"))
    }

    // MARK: Silence

    @Test(
        "a camera counts as silent 5 s after the start, or 2 s after its last good frame, whether somebody watches or not",
        arguments: [
            (0, 0, 0, true, 5), (1, 4, 0, true, 9), (8, 0.25, 0, true, 4), (8, 0.25, 0, false, 4),
            (2, 0.25, 60, true, 2.5),
        ])
    func silence(count: Int, interval: Double, damaged: Int, isWatched: Bool, seconds: Double) throws {
        var source = ScriptedSource(clock)
        for _ in 0..<count { source.add(1, after: interval) }
        for _ in 0..<damaged { source.addDamaged() }
        var pump = try pump(of: source, for: isWatched ? demand : idle)
        let start = clock.now
        var silence: Double?
        while silence == nil, clock.now - start < 20 {
            if case .silent = try pump.step(&source, waker: waker) { silence = clock.now - start }
        }
        #expect((seconds...seconds + 0.5).contains(try #require(silence)))
        #expect(readings.value.rgb?.r == (count > 1 ? 1 : nil))
    }

    // MARK: Demand

    // MARK: Demand

    @Test(
        "every frame is read while somebody watches, or if a reading is the mean of several, or else only the first",
        arguments: [
            (true, 1, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]), (false, 1, [UInt8?](repeating: 10, count: 10)),
            (false, 2, [10, 15, 25, 35, 45, 55, 65, 75, 85, 95]),
        ] as [(Bool, Int, [UInt8?])])
    func watched(isWatched: Bool, frames: Int, reds: [UInt8?]) throws {
        config.update { $0.effective.readings.frames = frames }
        var source = ScriptedSource(clock)
        for value in 1...10 { source.add(UInt8(value * 10)) }
        var pump = try pump(of: source, for: isWatched ? demand : idle)
        let found = try (1...10).map { _ in
            _ = try pump.step(&source, waker: waker)
            return readings.value.rgb?.r
        }
        #expect(found == reds)
    }

    @Test("a caller gets the next frame's reading, and no frame after it is read")
    func asked() async throws {
        var source = ScriptedSource(clock)
        for value in 1...4 { source.add(UInt8(value * 10)) }
        var pump = try pump(of: source, for: idle)
        _ = try pump.step(&source, waker: waker)
        let answers = idle.requestReading()
        for _ in 1...3 { _ = try pump.step(&source, waker: waker) }
        #expect(await answers.first { _ in true }?.rgb?.r == 20)
        #expect(readings.value.rgb?.r == 20)
    }

    @Test("a reading has the measured rate of the frames")
    func measuredRate() throws {
        _ = try reds(of: [UInt8?](repeating: 10, count: 20))
        #expect(abs(readings.value.rate.capture - 4) < 0.01)
    }
}

@Suite("The frames that the pump takes", .timeLimit(.minutes(20)))
final class FramePumpFrameTests: PumpSuite {
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
        var pump = try pump(of: source, for: demand)
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

@Suite("The probes that the pump reads")
final class FramePumpProbeTests: PumpSuite {
    private func set(_ probes: (String, Region)...) {
        config.update { settings in
            settings.effective.probes = probes.map { Probe(name: Name($0.0), region: $0.1) }
        }
    }

    private let topLeft = Region(x: 0, y: 0, width: 0.25, height: 0.25)
    private let bottom = Region(x: 0, y: 0.75, width: 1, height: 0.25)

    @Test("probes are measured in the frame of the reading")
    func sameFrame() throws {
        set(("Corner", topLeft), ("Bottom", bottom))
        var source = ScriptedSource(clock)
        source.add([90] + [UInt8](repeating: 30, count: 11) + [200, 200, 100, 100])
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        let probes = readings.value.probes
        #expect(probes.map(\.probe.name) == ["Corner", "Bottom"])
        #expect(probes.map(\.measurement?.mean.r) == [90, 150])
        #expect(probes.map(\.measurement?.statistics?.regionPixels) == [1, 4])
        #expect(probes[1].measurement?.statistics?.maximum.r == 200)
        #expect(probes[0].measurement?.linear.map { abs($0.r - SRGB.linear(90 / 255)) < 1e-6 } == true)
    }

    @Test("probes average as many frames as the reading")
    func frames() throws {
        set(("Corner", topLeft))
        config.update { $0.effective.readings.frames = 2 }
        var source = ScriptedSource(clock)
        for value: UInt8 in [10, 30, 60] { source.add(value) }
        var pump = try pump(of: source)
        let means = try (0..<3).map { _ in
            _ = try pump.step(&source, waker: waker)
            return readings.value.probes.first?.measurement?.mean.r
        }
        #expect(means == [10, 20, 45])
    }

    @Test("a probe that is set while the camera runs is in the next reading, and disturbs no statistics")
    func edit() throws {
        var source = ScriptedSource(clock)
        for _ in 0..<10 { source.add(30) }
        var pump = try pump(of: source)
        for _ in 0..<8 { _ = try pump.step(&source, waker: waker) }
        #expect(readings.value.probes.isEmpty)
        set(("Corner", topLeft))
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.probes.map(\.hex) == ["#1E1E1E"])
        #expect(readings.value.stability.noise != nil)
        set()
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.probes.isEmpty)
    }

    @Test("a probe is the part of the picture that people see")
    func orientation() throws {
        set(("Corner", topLeft))
        config.update { $0.effective.camera.rotate = 180 }
        var source = ScriptedSource(clock)
        source.add([UInt8](repeating: 30, count: 15) + [90])
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.probes.map(\.measurement?.mean.r) == [90])
    }
}

@Suite("The areas that the pump measures for a client")
final class FramePumpAreaTests: PumpSuite {
    private func request(_ regions: Region...) -> AsyncStream<[AreaRequest.Figures]> {
        let (frames, continuation) = AsyncStream.makeStream(of: [AreaRequest.Figures].self)
        areas.publish(AreaRequest(areas: regions, start: clock.now, frames: continuation))
        return frames
    }

    /// Withdraws the request, and returns the code values of the first channel that it got.
    private func values(of frames: AsyncStream<[AreaRequest.Figures]>) async -> [[Int]] {
        areas.value?.frames.finish()
        areas.publish(nil)
        var values: [[Int]] = []
        for await frame in frames {
            values.append(frame.map { Int((255 * SRGB.encoded($0.linear.r)).rounded()) })
        }
        return values
    }

    private let topLeft = Region(x: 0, y: 0, width: 0.25, height: 0.25)
    private let bottom = Region(x: 0, y: 0.75, width: 1, height: 0.25)

    @Test("areas are measured in every frame, also between readings")
    func everyFrame() async throws {
        let frames = request(topLeft, bottom)
        var source = ScriptedSource(clock)
        for value: UInt8 in [90, 91, 92] {
            source.add([value] + [UInt8](repeating: 30, count: 11) + [value, 40, 40, value], after: 0.05)
        }
        var pump = try pump(of: source)
        for _ in 0..<3 { _ = try pump.step(&source, waker: waker) }
        #expect(readings.value.sequence == 1)
        let values = await values(of: frames)
        #expect(values.map(\.first) == [90, 91, 92])
        #expect(values.map(\.count) == [2, 2, 2])
    }

    @Test("a frame that is older than the request does not count")
    func oldFrame() async throws {
        var source = ScriptedSource(clock)
        source.latency = 0.3
        for value: UInt8 in [10, 20] { source.add(value) }
        let frames = request(topLeft)
        var pump = try pump(of: source)
        for _ in 0..<2 { _ = try pump.step(&source, waker: waker) }
        #expect(await values(of: frames) == [[20]])
    }

    @Test("a request while the camera runs disturbs neither the readings nor their statistics")
    func undisturbed() async throws {
        config.update { $0.effective.readings.frames = 2 }
        var source = ScriptedSource(clock)
        for _ in 0..<20 { source.add(30) }
        source.add(50)
        source.add(70)
        var pump = try pump(of: source)
        for _ in 0..<20 { _ = try pump.step(&source, waker: waker) }
        let frames = request(topLeft)
        _ = try pump.step(&source, waker: waker)
        // The mean of the frames before and after the request.
        #expect(readings.value.mean?.r == 40)
        #expect(readings.value.stability.noise != nil)
        #expect(readings.value.probes.isEmpty)
        #expect(await values(of: frames) == [[50]])
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.mean?.r == 60)
    }

    @Test("after the request, frames between readings are no longer read")
    func end() async throws {
        let frames = request(topLeft)
        var source = ScriptedSource(clock)
        for _ in 0..<2 { source.add(30, after: 0.05) }
        source.addDamaged(after: 0.05)
        var pump = try pump(of: source)
        for _ in 0..<2 { _ = try pump.step(&source, waker: waker) }
        #expect(await values(of: frames) == [[30], [30]])
        _ = try pump.step(&source, waker: waker)
        source.add(30)
        _ = try pump.step(&source, waker: waker)
        // A damaged frame counts as dropped only if it is read.
        #expect(readings.value.dropped == 0)
    }

    @Test("an area is the part of the picture that people see, and says what is wrong with it")
    func figures() async throws {
        config.update { $0.effective.camera.rotate = 180 }
        let frames = request(topLeft, bottom)
        var source = ScriptedSource(clock)
        source.add([255, 60, 60, 0] + [UInt8](repeating: 30, count: 11) + [90])
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        areas.value?.frames.finish()
        var iterator = frames.makeAsyncIterator()
        let figures = try #require(await iterator.next())
        #expect(abs(figures[0].linear.r - SRGB.linear(90 / 255)) < 1e-6)
        #expect(figures.map(\.isUneven) == [false, true])
        #expect(figures[1].clippedLow == ChannelFigures(r: 0.25, g: 0.25, b: 0.25))
        #expect(figures[1].clippedHigh == ChannelFigures(r: 0.25, g: 0.25, b: 0.25))
        #expect(figures[0].clippedHigh == .zero)
    }
}
