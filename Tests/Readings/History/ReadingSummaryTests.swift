import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Readings

@Suite("Summaries of readings")
struct ReadingSummaryTests {
    private func summary(_ grey: Double, _ change: (inout Reading) -> Void = { _ in }) throws -> ReadingSummary {
        try #require(
            ReadingSummary(
                Reading.sample.with {
                    $0.mean = .init(r: grey, g: grey, b: grey)
                    change(&$0)
                }))
    }

    @Test("a reading without a colour has no summary", arguments: Reading.State.allCases)
    func noColor(state: Reading.State) {
        #expect((ReadingSummary(Reading.sample.with { $0.state = state }) != nil) == state.hasColor)
        #expect(ReadingSummary(Reading.sample.with { $0.mean = nil }) == nil)
    }

    @Test("the mean of several summaries weighs each by its readings, in whichever order they are added")
    func weights() throws {
        var three = try summary(0)
        three.add(try summary(0))
        three.add(try summary(30))
        var one = try summary(90)
        #expect(three.color.mean == RGB(r: 10, g: 10, b: 10))
        one.add(three)
        #expect(
            one.color
                == .init(
                    mean: RGB(r: 30, g: 30, b: 30), minimum: RGB(r: 0, g: 0, b: 0), maximum: RGB(r: 90, g: 90, b: 90)))
        #expect(one.count == 4)
        three.add(try summary(90))
        #expect(three == one)
    }

    @Test("each channel has its own least and greatest value")
    func extremes() throws {
        var summary = try summary(0) { $0.mean = .init(r: 1, g: 20, b: 100) }
        summary.add(try self.summary(0) { $0.mean = .init(r: 3, g: 10, b: 200) })
        #expect(
            summary.color
                == .init(
                    mean: RGB(r: 2, g: 15, b: 150), minimum: RGB(r: 1, g: 10, b: 100), maximum: RGB(r: 3, g: 20, b: 200)
                ))
    }

    @Test("lightness is that of the readings, not of their mean colour")
    func lightness() throws {
        var summary = try summary(0) { $0.mean = .init(r: 255, g: 0, b: 0) }
        summary.add(try self.summary(0) { $0.mean = .init(r: 0, g: 255, b: 255) })
        let lightness = summary.lightness
        #expect(abs(lightness.minimum - 54.29) < 0.01 && abs(lightness.maximum - 90.67) < 0.01)
        #expect(abs(lightness.mean - (54.29 + 90.67) / 2) < 0.01)
    }

    @Test("a figure that a reading lacks does not count as 0")
    func missing() throws {
        var summary = try summary(10)
        #expect(summary.noise == nil)
        summary.add(
            try self.summary(10) {
                $0.linear = nil
                $0.statistics = nil
                $0.stability.noise = .init(channels: .init(r: 1, g: 1, b: 1), deltaE: 0.3)
            })
        #expect(summary.noise == 0.3)
        #expect(summary.linear.mean == Reading.sample.linear)
        #expect(summary.shares.mean == .init(clippedLow: 0, clippedHigh: 0, outOfGamut: 0))
        summary.add(
            try self.summary(10) {
                $0.linear = LinearRGB(r: 0.14971, g: 0.386661, b: 0.672224)
                $0.statistics?.clippedLow.g = 0.5
                $0.statistics?.clippedHigh.r = 0.25
                $0.statistics?.outOfGamut = 0.125
            })
        #expect(abs((summary.linear.mean?.r ?? 0) - 0.09971) < 1e-12)
        #expect(summary.shares.mean == .init(clippedLow: 0.25, clippedHigh: 0.125, outOfGamut: 0.0625))
    }

    @Test("the noise of several readings is the root of its mean square")
    func noise() throws {
        func noisy(_ deltaE: Double) throws -> ReadingSummary {
            try self.summary(10) { $0.stability.noise = .init(channels: .init(r: 1, g: 1, b: 1), deltaE: deltaE) }
        }
        var summary = try noisy(1)
        summary.add(try noisy(7))
        #expect(summary.noise == 5)
    }

    @Test("quality is the worst of the readings, with the reasons of all of them")
    func quality() throws {
        var summary = try summary(10)
        #expect(summary.grade == nil && summary.flags.codes.isEmpty)
        summary.add(try self.summary(10) { $0.quality = Quality(flags: [.init(.noisy, value: 1, message: "")]) })
        #expect(summary.grade == .fair)
        summary.add(
            try self.summary(10) {
                $0.quality = Quality(flags: [.init(.clippedHigh, value: 1, grade: .poor, message: "")])
            })
        summary.add(try self.summary(10) { $0.quality = Quality(flags: []) })
        #expect(summary.grade == .poor && summary.flags.codes == [.clippedHigh, .noisy])
    }

    @Test("every reason for doubt is kept", arguments: Quality.Flag.Code.allCases)
    func flags(code: Quality.Flag.Code) {
        #expect(FlagCodes([code]).codes == [code])
    }

    @Test("a summary with a reading of the test pattern has the test pattern's state, whichever reading came first")
    func state() throws {
        let pattern = try summary(10) { $0.state = .testPattern }
        var (first, second) = (try summary(10), pattern)
        first.add(pattern)
        second.add(try summary(10))
        #expect(first.state == .testPattern && second.state == .testPattern)
    }
}
