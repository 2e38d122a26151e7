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

@Suite("The frame pump")
struct FramePumpTests {
    private let clock = ManualClock()
    private let readings = Latest(Reading.none)
    private let config = Latest(Settings())
    private let demand = Demand()
    /// A demand by which readings are always wanted.
    private let lasting = Demand()
    private let interest: InterestToken
    private let waker: Waker

    init() throws {
        waker = try Waker()
        interest = lasting.watch()
    }

    private func pump(of source: borrowing ScriptedSource, for demand: Demand? = nil) throws -> FramePump {
        let publisher = ReadingPublisher(
            settings: .init(config.value.effective), readings: readings, demand: demand ?? lasting,
            clocks: clock.clocks)
        return try FramePump(
            format: source.format, config: config, camera: Reading.Camera(id: "id", name: "name"), state: .live,
            publisher: publisher)
    }

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
            settings: .init(config.value.effective), readings: readings, demand: lasting, clocks: clock.clocks)
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

    /// Steps until the pump reports silence.
    /// - Returns: The seconds since the clock was at `start`; nil if there was no silence within 20 s.
    private func silence(
        of source: inout ScriptedSource, _ pump: inout FramePump, since start: MonotonicTime
    ) throws -> Double? {
        while clock.now - start < 20 {
            if case .silent = try pump.step(&source, waker: waker) { return clock.now - start }
        }
        return nil
    }

    @Test("a camera without a first frame counts as silent after 5 s and no earlier")
    func silentFromTheStart() throws {
        var source = ScriptedSource(clock)
        var pump = try pump(of: source)
        let silence = try #require(try silence(of: &source, &pump, since: clock.now))
        #expect((5...5.5).contains(silence))
    }

    @Test("a camera whose first frame comes after 4 s is not silent")
    func lateStart() throws {
        var source = ScriptedSource(clock)
        source.add(1, after: 4)
        var pump = try pump(of: source)
        let start = clock.now
        let silence = try #require(try silence(of: &source, &pump, since: start))
        #expect((9...9.5).contains(silence))
        #expect(readings.value.rgb?.r == 1)
    }

    @Test("a camera that has delivered frames counts as silent after 2 s without one")
    func silentLater() throws {
        var source = ScriptedSource(clock)
        for _ in 1...8 { source.add(1) }
        var pump = try pump(of: source)
        let start = clock.now
        let silence = try #require(try silence(of: &source, &pump, since: start))
        #expect((4...4.5).contains(silence))
    }

    @Test("a camera that falls silent while nobody watches is detected as early as otherwise")
    func silentUnwatched() throws {
        var source = ScriptedSource(clock)
        for _ in 1...8 { source.add(1) }
        var pump = try pump(of: source, for: demand)
        let start = clock.now
        let silence = try #require(try silence(of: &source, &pump, since: start))
        #expect((4...4.5).contains(silence))
    }

    @Test("a camera that delivers only damaged frames counts as silent")
    func nothingButDamage() throws {
        var source = ScriptedSource(clock)
        for _ in 1...2 { source.add(1) }
        for _ in 1...60 { source.addDamaged() }
        var pump = try pump(of: source)
        let start = clock.now
        let silence = try #require(try silence(of: &source, &pump, since: start))
        #expect((2.5...3).contains(silence))
    }

    // MARK: Demand

    /// Returns the red values of the readings while ten frames come, 10, 20 ... 100, one in each tick.
    private func reds(whileWatched isWatched: Bool, frames: Int = 1) throws -> [UInt8?] {
        config.update { $0.effective.readings.frames = frames }
        var source = ScriptedSource(clock)
        for value in 1...10 { source.add(UInt8(value * 10)) }
        var pump = try pump(of: source, for: demand)
        let token = isWatched ? demand.watch() : nil
        return try withExtendedLifetime(token) {
            try (1...10).map { _ in
                _ = try pump.step(&source, waker: waker)
                return readings.value.rgb?.r
            }
        }
    }

    @Test("while somebody watches, every tick has a reading")
    func watched() throws {
        #expect(try reds(whileWatched: true) == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    }

    @Test("while nobody watches, the first frame is read and the others are not")
    func unwatched() throws {
        #expect(try reds(whileWatched: false) == [UInt8?](repeating: 10, count: 10))
    }

    @Test("while nobody watches, every frame is read if a reading is the mean of several")
    func severalUnwatched() throws {
        #expect(try reds(whileWatched: false, frames: 2) == [10, 15, 25, 35, 45, 55, 65, 75, 85, 95])
    }

    @Test("a caller gets the next frame's reading, and no frame after it is read")
    func asked() async throws {
        var source = ScriptedSource(clock)
        for value in 1...4 { source.add(UInt8(value * 10)) }
        var pump = try pump(of: source, for: demand)
        _ = try pump.step(&source, waker: waker)
        let answers = demand.requestReading()
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
