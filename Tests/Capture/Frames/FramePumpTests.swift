import Foundation
import Pixels
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("Frames become readings")
struct FramePumpTests {
    private let readings = Latest(Reading.none)
    private let camera = Reading.Camera(id: "id", name: "name", device: "/dev/video0")

    /// Grey pictures of 4 x 4, one after another.
    private struct Source: ~Copyable, FrameSource {
        let format = FrameFormat(
            fourCC: "GREY", width: 4, height: 4, planes: [.init(bytesPerLine: 4, sizeImage: 16)],
            colorimetry: Colorimetry(colorspace: .srgb, encoding: .bt601, quantization: .fullRange),
            framesPerSecond: 15)
        var counters = FrameCounters()
        var pictures: [[UInt8]]

        init(_ pictures: [[UInt8]]) {
            self.pictures = pictures
        }

        mutating func withNextFrame<Result>(
            before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
        ) throws(V4L2Error) -> Result? {
            guard !pictures.isEmpty else { return nil }
            return Frame.lend(FrameInfo(sequence: 7, timestamp: .now()), bytes: pictures.removeFirst(), to: body)
        }
    }

    /// Reads all pictures; before each but the first there was no colour, so that each makes a reading.
    private func red(of pictures: [[UInt8]], config: Config = Config()) throws -> Int? {
        var source = Source(pictures)
        var publisher = ReadingPublisher(settings: .init(config), readings: readings)
        var pump = try #require(
            FramePump(
                format: source.format, config: Latest(config), camera: camera, state: .live)
        )
        let waker = try Waker()
        for _ in pictures {
            publisher.publish(.init(state: .starting, message: ""), camera: camera, at: .now())
            _ = try pump.step(&source, publisher: &publisher, waker: waker)
        }
        return readings.value.rgb?.r
    }

    private func picture(_ value: UInt8) -> [UInt8] { [UInt8](repeating: value, count: 16) }

    @Test("each of its own frame")
    func single() throws {
        #expect(try red(of: [picture(10), picture(200)]) == 200)
        #expect(readings.value.state == .live)
        #expect(readings.value.frame?.sequence == 7)
    }

    @Test(
        "each of the newest frames, when the config says how many", arguments: [(1, 90), (2, 60), (3, 45), (60, 45)])
    func several(frames: Int, mean: Int) throws {
        var config = Config()
        config.readings.frames = frames
        #expect(try red(of: [picture(15), picture(30), picture(90)], config: config) == mean)
    }

    @Test("but not of a frame that is too short, which is counted")
    func damaged() throws {
        #expect(try red(of: [picture(10), [1, 2, 3]]) == nil)
        #expect(try red(of: [[1, 2, 3], picture(10)]) == 10)
        #expect(readings.value.dropped == 1)
    }

    /// The red of the last reading, after ten frames of 10, 20 ... 100, each of another tick.
    private func lastRed(isWatching: Bool, isAsking: Bool = false, frames: Int = 1) async throws -> Int? {
        var config = Config()
        config.readings.rate = 1e6
        config.readings.frames = frames
        let demand = Demand()
        let token = isWatching ? demand.watch() : nil
        var source = Source((1...10).map { picture(UInt8($0 * 10)) })
        var publisher = ReadingPublisher(settings: .init(config), readings: readings, demand: demand)
        var pump = try #require(
            FramePump(format: source.format, config: Latest(config), camera: camera, state: .live))
        let waker = try Waker()
        _ = try pump.step(&source, publisher: &publisher, waker: waker)
        readings.update { $0.time = .distantPast }
        async let answer = isAsking ? demand.newest(of: readings, rate: config.readings.rate) : nil
        while isAsking, !demand.isAsking { await Task.yield() }
        for _ in 2...10 { _ = try pump.step(&source, publisher: &publisher, waker: waker) }
        _ = await answer
        withExtendedLifetime(token) {}
        return readings.value.rgb?.r
    }

    @Test("each while somebody watches")
    func watched() async throws {
        #expect(try await lastRed(isWatching: true) == 100)
    }

    @Test("after the first, none while nobody does")
    func unwatched() async throws {
        #expect(try await lastRed(isWatching: false) == 10)
    }

    @Test("the next one when somebody asks, and none after it")
    func asked() async throws {
        #expect(try await lastRed(isWatching: false, isAsking: true) == 20)
    }

    @Test("each, whoever watches, when a reading is the mean of several")
    func severalUnwatched() async throws {
        #expect(try await lastRed(isWatching: false, frames: 2) == 95)
    }
}
