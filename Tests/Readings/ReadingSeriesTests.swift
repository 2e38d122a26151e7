import Color
import Foundation
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("The series of readings")
struct ReadingSeriesTests {
    private static let color = RGB(r: 120, g: 130, b: 140)

    /// Returns the grey of a lightness L*.
    private static func grey(_ lightness: Double) -> RGB {
        let value = 255 * SRGB.encoded(pow((lightness + 16) / 116, 3))
        return RGB(r: value, g: value, b: value)
    }

    private func series(_ colors: [RGB], interval: Double = 0.25) -> ReadingSeries {
        var series = ReadingSeries()
        for (index, color) in colors.enumerated() {
            series.add(color, at: MonotonicTime(nanoseconds: 7_000_000_000) + Double(index) * interval)
        }
        return series
    }

    /// Returns greys with noise of a normal distribution, added to a signal of the time in seconds.
    private func greys(
        _ count: Int, interval: Double = 0.25, noise: Double, seed: UInt64 = 3,
        _ signal: (Double) -> Double = { _ in 0 }
    ) -> [RGB] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { index in
            let value = 130 + signal(Double(index) * interval) + noise * generator.normal()
            return RGB(r: value, g: value, b: value)
        }
    }

    /// Returns the doubts about the newest of these colours that follow from the series.
    private func doubts(_ series: ReadingSeries) -> [Quality.Flag.Code] {
        var evidence = Quality.Evidence()
        evidence.noise = series.stability.noise?.deltaE
        evidence.steadiness = series.stability.steadiness
        return Quality(evidence).flags.map(\.code)
    }

    @Test("noise is the standard deviation of each channel about its straight line, with n - 2 in the divisor")
    func noise() throws {
        // About the line 4.5 + t, the values leave ±1, whose squares add up to 8.
        let colors = [1.0, -1, -1, 1, 1, -1, -1, 1].enumerated().map { index, rest in
            RGB(r: 100 + rest, g: 100 - 2 * rest + 3 * Double(index), b: 100 + 5 * Double(index))
        }
        let noise = try #require(series(colors).stability.noise)
        #expect(abs(noise.channels.r - (8 / 6.0).squareRoot()) < 1e-9)
        #expect(abs(noise.channels.g - 2 * (8 / 6.0).squareRoot()) < 1e-9)
        #expect(noise.channels.b < 1e-9)
    }

    @Test("the noise of the colour is the standard deviation of its lightness, if nothing else varies")
    func colorNoise() throws {
        // At L* 50, ΔE00 is ΔL*. The pattern has no trend.
        let colors = (0..<32).map { Self.grey([49.5, 50.5, 50.5, 49.5][$0 % 4]) }
        let noise = try #require(series(colors).stability.noise)
        #expect(abs(noise.deltaE - (32 * 0.25 / 30).squareRoot()) < 0.001)
    }

    @Test("after a long pause, noise is that of the new readings, and not defined before there are eight")
    func pause() {
        let colors = greys(32, noise: 0) { $0 } + greys(7, noise: 0) { 40 - $0 }
        let start = MonotonicTime(nanoseconds: 7_000_000_000)
        var series = ReadingSeries()
        for (index, color) in colors.enumerated() {
            series.add(color, at: start + Double(index) * 0.25 + (index < 32 ? 0 : 30))
        }
        #expect(series.stability.noise == nil)
        series.add(greys(8, noise: 0) { 40 - $0 }[7], at: start + 39 * 0.25 + 30)
        #expect((series.stability.noise?.deltaE ?? 1) < 0.01)
        #expect(series.stability.totalDrift != nil)
    }

    @Test("a client that asks now and then gets the noise of its readings")
    func slowReadings() {
        #expect(series(greys(8, interval: 7, noise: 1), interval: 7).stability.noise != nil)
    }

    @Test("a ramp without noise is changing, at its rate, and not noisy", arguments: [2.0, 6, 60])
    func ramp(rate: Double) throws {
        let series = series((0..<32).map { Self.grey(50 + rate * (Double($0) - 15.5) * 0.25 / 60) })
        #expect(abs(try #require(series.stability.steadiness).trendPerMinute - rate) < 0.01 * rate)
        #expect(try #require(series.stability.noise).deltaE < 0.02)
        #expect(doubts(series) == [.unsettled])
    }

    @Test("the noise of a ramp is the same as without the ramp", arguments: [0.1, 0.6, 1.5])
    func noisyRamp(noise: Double) throws {
        let ramp = series(greys(32, noise: noise) { 0.5 * $0 }).stability
        let level = series(greys(32, noise: noise)).stability
        #expect(abs(try #require(ramp.noise).channels.r - #require(level.noise).channels.r) < 1e-9)
        #expect(abs(try #require(ramp.noise).deltaE / #require(level.noise).deltaE - 1) < 0.02)
    }

    @Test("a ramp with much noise is changing and noisy")
    func changingAndNoisy() {
        #expect(doubts(series(greys(32, noise: 2) { 3 * $0 })) == [.unsettled, .noisy])
    }

    @Test("noise alone is noisy, and in at most 6 of 100 cases unsettled, too")
    func noiseAlone() {
        let all = (1...1000).map { doubts(series(greys(32, noise: 3, seed: $0))) }
        #expect(all.count { $0.contains(.noisy) } >= 990)
        #expect(all.count { $0.contains(.unsettled) } <= 60)
    }

    @Test("little noise is no doubt, whatever its pattern")
    func littleNoise() {
        #expect((1...200).allSatisfy { !doubts(series(greys(32, noise: 0.5, seed: $0))).contains(.noisy) })
    }

    @Test("a step is a change and no noise, until eight readings have followed it", arguments: [2.0, 5, 20])
    func step(height: Double) {
        for count in 1...30 {
            let colors = (0..<32).map { Self.grey($0 < 32 - count ? 50 : 50 + height) }
            let doubts = doubts(series(colors))
            #expect(!doubts.contains(.noisy), "\(count) readings after a step of \(height)")
            if count < 8 { #expect(doubts == [.unsettled], "\(count) readings after a step of \(height)") }
        }
    }

    @Test("a colour that approaches its final value is changing and not noisy", arguments: [1.0, 3, 10])
    func approachingIsNotNoisy(timeConstant: Double) {
        let colors = greys(100, noise: 0.05) { 20 * exp(-$0 / timeConstant) }
        for count in 12...100 { #expect(!doubts(series(Array(colors.prefix(count)))).contains(.noisy), "\(count)") }
    }

    @Test("there are no statistics before the eighth reading")
    func few() {
        let stability = series([RGB](repeating: Self.color, count: 7)).stability
        #expect(stability == Reading.Stability())
        #expect(series([RGB](repeating: Self.color, count: 8)).stability.noise != nil)
    }

    @Test("noise is that of the last 32 readings")
    func forgets() throws {
        let old = [RGB](repeating: RGB(r: 10, g: 10, b: 10), count: 100)
        let new = [RGB](repeating: Self.color, count: 31)
        #expect(try #require(series(old + new).stability.noise).channels.r > 10)
        #expect(try #require(series(old + new + [Self.color]).stability.noise).channels.r < 1e-9)
    }

    @Test("noise is that of the last minute, so rare readings have none", arguments: [(8.5, true), (9.0, false)])
    func rare(interval: Double, has: Bool) {
        let stability = series([RGB](repeating: Self.color, count: 40), interval: interval).stability
        #expect((stability.noise != nil) == has)
        #expect((stability.steadiness != nil) == has)
    }

    @Test("a constant colour has settled, without noise or drift")
    func constant() throws {
        let stability = series([RGB](repeating: Self.color, count: 100)).stability
        #expect(try #require(stability.steadiness).spread < 1e-12)
        #expect(try #require(stability.steadiness).trend == 0)
        #expect(try #require(stability.noise).deltaE < 1e-12)
        for drift in [stability.drift, stability.totalDrift] {
            #expect(try #require(drift).deltaEPerMinute < 1e-12)
            #expect(try #require(drift).standardError < 1e-12)
        }
    }

    @Test("a colour has not settled while one of the last eight readings is off by more than 0.5")
    func outlier() throws {
        let steady = [RGB](repeating: Self.color, count: 30)
        let off = RGB(r: Self.color.r + 2, g: Self.color.g + 2, b: Self.color.b + 2)
        let seven = steady + [off] + [RGB](repeating: Self.color, count: 7)
        #expect(try #require(series(seven).stability.steadiness).spread > 0.5)
        #expect(try #require(series(seven + [Self.color]).stability.steadiness).isSettled)
    }

    @Test("noise alone counts as a trend in at most 6 of 100 series", arguments: [8, 32])
    func falseTrends(count: Int) throws {
        var trends = 0
        for seed in 1...1000 as ClosedRange<UInt64> {
            let steadiness = series(greys(count, noise: 0.3, seed: seed)).stability.steadiness
            if try #require(steadiness).trend > 0 { trends += 1 }
        }
        #expect(trends <= 60)
    }

    @Test("a slow change has not settled, even if it is hidden in the noise of eight readings")
    func slowChange() throws {
        // 2 a minute.
        let steadiness = series(greys(32, noise: 0.05) { 5.2 * $0 / 60 }).stability.steadiness
        #expect(try #require(steadiness).spread < 0.5)
        #expect(try #require(steadiness).isSettled == false)
    }

    @Test("a trend of less than 0.1 does not matter, however certain it is")
    func negligible() throws {
        #expect(try #require(series(greys(32, noise: 0) { 0.03 * $0 }).stability.steadiness).isSettled)
        #expect(try #require(series(greys(32, noise: 0) { 0.04 * $0 }).stability.steadiness).isSettled == false)
    }

    @Test("a colour that approaches its final value settles when little is left", arguments: [1.0, 3, 10])
    func approach(timeConstant: Double) throws {
        let colors = greys(400, noise: 0.05) { 20 * exp(-$0 / timeConstant) }
        var first: Int?
        for count in 8...400 where try #require(series(Array(colors.prefix(count))).stability.steadiness).isSettled {
            first = count
            break
        }
        let left = 20 * exp(-0.25 * Double(try #require(first)) / timeConstant)
        #expect(left < 1)
    }

    @Test("drift is the slope of the last minute, in ΔE00 a minute")
    func drift() throws {
        // 3 a minute, after four minutes of -6 a minute.
        let colors = (0...1200).map { index in
            let time = Double(index) * 0.25
            return Self.grey(time < 240 ? 48.5 + (240 - time) / 10 : 48.5 + (time - 240) / 20)
        }
        let stability = series(colors).stability
        #expect(abs(try #require(stability.drift).deltaEPerMinute - 3) < 0.02)
        #expect(try #require(stability.drift).standardError < 0.02)
        #expect(try #require(stability.totalDrift).standardError > 0.1)
    }

    @Test("the mean square of the drift of noise is less than that of its standard error")
    func noDrift() throws {
        var (square, errors) = (0.0, 0.0)
        for seed in 1...60 as ClosedRange<UInt64> {
            let drift = try #require(series(greys(240, noise: 0.3, seed: seed)).stability.drift)
            square += drift.deltaEPerMinute * drift.deltaEPerMinute
            errors += drift.standardError * drift.standardError
        }
        #expect(square < errors)
    }

    @Test("drift needs eight seconds", arguments: [(32, false), (33, true)])
    func earlyDrift(count: Int, has: Bool) {
        #expect((series([RGB](repeating: Self.color, count: count)).stability.drift != nil) == has)
    }

    @Test("the total drift spans all readings since the start")
    func totalDrift() throws {
        // 1 in an hour of a reading a second.
        let colors = (0..<3600).map { Self.grey(49.5 + Double($0) / 3600) }
        let drift = try #require(series(colors, interval: 1).stability.totalDrift)
        #expect(abs(drift.deltaEPerMinute - 1.0 / 60) < 0.0001)
    }

    @Test("a drift combines its changes of lightness, a* and b*", arguments: [(3.0, 0.0, 0.0), (0, 2, 0), (2, 1, -2)])
    func direction(lightness: Double, a: Double, b: Double) throws {
        // Near grey, ΔE00 is the distance, but for a*, which it stretches by half.
        var series = BinnedSeries(.joining)
        for second in 0...60 {
            let share = Double(second) / 60 - 0.5
            series.add(CIELab(lightness: 50 + lightness * share, a: a / 1.5 * share, b: b * share), at: Double(second))
        }
        let length = (lightness * lightness + a * a + b * b).squareRoot()
        #expect(abs(try #require(series.drift).deltaEPerMinute - length) < 0.01 * length)
    }

    @Test("intervals are joined when there are too many, and none is lost")
    func joins() throws {
        var series = BinnedSeries(.joining)
        for second in 0..<10_000 {
            series.add(CIELab(lightness: 50, a: 0, b: Double(second) / 1e4 - 0.5), at: Double(second))
        }
        #expect((32...64).contains(series.count))
        #expect(abs(try #require(series.drift).deltaEPerMinute - 60 / 1e4) < 1e-4)
    }
}
