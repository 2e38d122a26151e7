import CV4L2
import Color
import Pixels
import TestSupport
import Testing
import V4L2

@testable import Handoff
@testable import Readings
@testable import State

/// A camera whose light follows its exposure and gain, and the search that sets them.
private final class Bench {
    var controls: [Control]
    /// The light in the brightest channel at given values, as a share of the range.
    var light: (_ exposure: Int64, _ gain: Int64) -> Double
    var values: ExposureSetting.Values
    var now = MonotonicTime(nanoseconds: 0)
    var changes: [ExposureSetting.Values] = []

    init(
        exposure: Int64, gain: Int64? = 16, gains: ClosedRange<Int64> = 16...256,
        light: @escaping (_ exposure: Int64, _ gain: Int64) -> Double = { Double($0 * 8 * $1 / 16) / 3839 }
    ) {
        controls = [Control.sample(V4L2_CID_EXPOSURE, "exposure", .integer, 4...1000, value: .number(exposure))]
        if let gain {
            controls.append(.sample(V4L2_CID_ANALOGUE_GAIN, "analogue_gain", .integer, gains, value: .number(gain)))
        }
        values = .init(exposure: exposure, gain: gain)
        self.light = light
    }

    /// A reading of a frame that was captured now.
    func reading(_ level: Double? = nil) -> Reading {
        .sample.with {
            $0.statistics = .level(level ?? light(values.exposure, values.gain ?? 16))
            $0.frame?.time = now
            $0.rate.capture = 30
        }
    }

    /// Runs the search to its end, with two frames at each step.
    func search() -> (problem: ExposureSetting.Problem?, setting: ExposureSetting)? {
        guard var setting = ExposureSetting(controls, at: now) else { return nil }
        while true {
            now = now + 0.25
            switch setting.observe(reading(), at: now) {
            case .wait: continue
            case .end(let problem): return (problem, setting)
            case .set(let next):
                values = next
                changes.append(next)
                setting.change(to: next, at: now)
            }
        }
    }
}

extension RegionStatistics {
    /// Statistics of a region whose green channel has this light, and red and blue none.
    fileprivate static func level(_ light: Double) -> RegionStatistics {
        var statistics = RegionStatistics.sample
        var (dark, bright) = ([Int](repeating: 0, count: 256), [Int](repeating: 0, count: 256))
        dark[0] = 100
        bright[Int((255 * SRGB.encoded(min(light, 1))).rounded())] = 100
        statistics.histogram = Histogram(r: dark, g: bright, b: dark)
        return statistics
    }
}

@Suite("The search for an exposure")
struct ExposureSettingTests {
    @Test(
        "the brightest channel reaches 80 % of the range from any exposure, with the gain as it is",
        arguments: [4, 20, 100, 384, 600, 1000] as [Int64])
    func reaches(exposure: Int64) throws {
        let bench = Bench(exposure: exposure)
        let end = try #require(bench.search())
        #expect(end.problem == nil)
        let brightest = Double(bench.values.exposure) * 8 / 3839
        #expect(abs(brightest - 0.8) <= 0.03)
        #expect(bench.values.gain == 16)
        // An exposure that is right stays, and clipped pixels halve it.
        if exposure == 384 { #expect(bench.changes.isEmpty) }
        if exposure == 1000 { #expect(bench.changes.first?.exposure == 500) }
    }

    @Test("the gain is raised only at the longest exposure, whether light is proportional to it or not")
    func gain() throws {
        for light in [
            { Double($0) * Double($1) / 16 / 4000 }, { Double($0) / 4000 * 256 / Double(257 - $1) },
        ] as [(Int64, Int64) -> Double] {
            let bench = Bench(exposure: 20, light: light)
            #expect(try #require(bench.search()).problem == nil)
            #expect(bench.values.exposure == 1000)
            #expect(abs(light(bench.values.exposure, bench.values.gain ?? 0) - 0.8) <= 0.035)
            #expect(bench.changes.allSatisfy { $0.exposure == 1000 || $0.gain == 16 })
        }
    }

    @Test("a gain whose lowest value is 0 is found, too")
    func zero() throws {
        let light: (Int64, Int64) -> Double = { Double($0) / 4000 * 256 / Double(256 - $1) }
        let bench = Bench(exposure: 500, gain: 0, gains: 0...232, light: light)
        #expect(try #require(bench.search()).problem == nil)
        #expect(abs(light(1000, bench.values.gain ?? 0) - 0.8) <= 0.035)
    }

    @Test("the reason why the level is not reached is known")
    func problems() throws {
        let dark = Bench(exposure: 20, light: { Double($0 * $1) / 16 / 1e6 })
        #expect(try #require(dark.search()).problem == .tooDark)
        #expect(dark.values == .init(exposure: 1000, gain: 256))
        let withoutGain = Bench(exposure: 20, gain: nil, light: { Double($0 * $1) / 1e6 })
        #expect(try #require(withoutGain.search()).problem == .tooDark)
        #expect(withoutGain.values == .init(exposure: 1000, gain: nil))
        let bright = Bench(exposure: 20, light: { exposure, _ in Double(exposure) })
        #expect(try #require(bright.search()).problem == .tooBright)
        #expect(bright.values.exposure == 4)
        let coarse = Bench(exposure: 4, light: { exposure, _ in exposure > 10 ? 0.95 : 0.6 })
        #expect(try #require(coarse.search()).problem != nil)
    }

    @Test("the best values are remembered, also if later ones are worse")
    func best() throws {
        let bench = Bench(exposure: 384, light: { exposure, _ in exposure == 384 ? 0.7 : 0.1 })
        let end = try #require(bench.search())
        #expect(end.problem != nil)
        #expect(end.setting.best?.values == .init(exposure: 384, gain: 16))
    }

    @Test("there are at most eight changes, in at most 15 s")
    func bounded() throws {
        // The light changes by a factor of 4 after each change.
        var flips = false
        let bench = Bench(exposure: 100)
        var setting = try #require(ExposureSetting(bench.controls, at: bench.now))
        var (changes, end) = (0, ExposureSetting.Problem?.none)
        while end == nil, bench.now - MonotonicTime(nanoseconds: 0) < 60 {
            bench.now = bench.now + 0.25
            switch setting.observe(bench.reading(flips ? 0.4 : 0.1), at: bench.now) {
            case .wait: continue
            case .end(let problem): end = problem
            case .set(let values):
                (changes, flips) = (changes + 1, !flips)
                setting.change(to: values, at: bench.now)
            }
        }
        #expect(end != nil)
        #expect(changes <= 8)
        #expect(bench.now - MonotonicTime(nanoseconds: 0) <= 15)
    }

    @Test("frames that were captured before a change, or right after it, do not count")
    func staleFrames() throws {
        let bench = Bench(exposure: 100)
        var setting = try #require(ExposureSetting(bench.controls, at: bench.now))
        for seconds in [-1, 0, 0.1, 0.19] {
            let reading = bench.reading().with { $0.frame?.time = bench.now + seconds }
            #expect(setting.observe(reading, at: bench.now + 1) == .wait)
        }
        let first = bench.reading().with { $0.frame?.time = bench.now + 0.3 }
        #expect(setting.observe(first, at: bench.now + 1) == .wait)
        #expect(setting.observe(first, at: bench.now + 1) == .wait)
        let second = bench.reading().with { $0.frame?.time = bench.now + 0.4 }
        #expect(setting.observe(second, at: bench.now + 1) != .wait)
    }

    @Test("light that changes from frame to frame, and readings that do not come, end the search after 5 s")
    func unsteady() throws {
        let bench = Bench(exposure: 100)
        var setting = try #require(ExposureSetting(bench.controls, at: bench.now))
        for tick in 1..<20 {
            bench.now = bench.now + 0.25
            #expect(setting.observe(bench.reading(tick.isMultiple(of: 2) ? 0.2 : 0.3), at: bench.now) == .wait)
        }
        #expect(setting.observe(bench.reading(), at: bench.now + 0.25) == .end(.unsteady))
        setting = try #require(ExposureSetting(bench.controls, at: bench.now))
        #expect(setting.observe(.noCamera, at: bench.now + 4.9) == .wait)
        #expect(setting.observe(.noCamera, at: bench.now + 5) == .end(.noReadings))
    }

    @Test("the level is the light that 99 % of the brightest channel's pixels do not exceed")
    func level() {
        var statistics = RegionStatistics.sample
        var counts = [Int](repeating: 0, count: 256)
        (counts[10], counts[128], counts[249]) = (98, 1, 1)
        statistics.histogram = Histogram(r: [Int](repeating: 1, count: 1), g: counts, b: [100])
        #expect(ExposureSetting.level(of: statistics) == SRGB.linear(128.0 / 255))
        (counts[128], counts[249], counts[250]) = (0, 0, 2)
        statistics.histogram.g = counts
        #expect(ExposureSetting.level(of: statistics) == 1)
    }

    @Test("a camera without an exposure that can be set has none")
    func none() {
        let now = MonotonicTime(nanoseconds: 0)
        #expect(ExposureSetting([.sample()], at: now) == nil)
        let readOnly = Control.sample(V4L2_CID_EXPOSURE, "exposure", isReadOnly: true)
        #expect(ExposureSetting([readOnly], at: now) == nil)
    }
}
