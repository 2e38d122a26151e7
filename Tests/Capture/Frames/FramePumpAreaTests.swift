import Color
import Pixels
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

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
