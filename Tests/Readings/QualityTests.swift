import Color
import TestSupport
import Testing

@testable import Pixels
@testable import Readings

@Suite("The quality of a reading")
struct QualityTests {
    private func quality(_ change: (inout Quality.Evidence) -> Void) -> Quality {
        var evidence = Quality.Evidence()
        evidence.mean = RGB(all: 100)
        change(&evidence)
        return Quality(evidence)
    }

    private func steadiness(
        spread: Double, trend: Double, rate: Double = 6, scatter: Double = 0
    ) -> Reading.Steadiness {
        .init(spread: spread, trend: trend, trendPerMinute: rate, scatter: scatter)
    }

    @Test(
        "a reading is good until a figure passes its limit",
        arguments: [
            (.init { _ in }, nil), (.init { $0.luminance = 0.01 }, nil), (.init { $0.luminance = 0.0099 }, .dark),
            (.init { $0.deviation.b = 20 }, nil), (.init { $0.deviation.b = 20.1 }, .uneven),
            // The evenness of a channel near 0 is not judged.
            (.init { ($0.mean.b, $0.deviation.b) = (9.9, 5) }, nil),
            (.init { ($0.mean.b, $0.deviation.b) = (10, 5) }, .uneven),
            (.init { $0.noise = 0.5 }, nil), (.init { $0.noise = 0.51 }, .noisy),
        ] as [(Change<Quality.Evidence>, Quality.Flag.Code?)])
    func limits(change: Change<Quality.Evidence>, code: Quality.Flag.Code?) {
        let quality = quality(change.apply)
        #expect(quality.flags.map(\.code) == [code].compactMap(\.self))
        #expect(quality.grade == (code == nil ? .good : .fair))
    }

    @Test(
        "clipped pixels make a reading fair from 0.1 % on and poor from 1 % on",
        arguments: [
            (0.00099, Quality.Grade.good), (0.001, .fair), (0.00999, .fair), (0.01, .poor), (1, .poor),
        ])
    func clipped(share: Double, grade: Quality.Grade) {
        let high = quality { $0.clippedHigh.g = share }
        #expect(high.grade == grade)
        #expect(high.flags.map(\.code) == (grade == .good ? [] : [.clippedHigh]))
        let low = quality { $0.clippedLow.b = share }
        #expect(low.grade == grade)
        #expect(low.flags.map(\.code) == (grade == .good ? [] : [.clippedLow]))
        let outside = quality { $0.outOfGamut = share }
        #expect(outside.grade == grade)
        #expect(outside.flags.map(\.code) == (grade == .good ? [] : [.outOfGamut]))
    }

    @Test("the channel with the most clipped pixels is named, with its share")
    func channel() {
        let high = quality { $0.clippedHigh = ChannelFigures(r: 0.002, g: 0.0312, b: 0.03) }.flags
        #expect(high.map(\.value) == [0.0312])
        #expect(high.map(\.message) == ["3.1 % of the pixels are at the top of green: dim the light."])
        let low = quality { $0.clippedLow = ChannelFigures(r: 0, g: 0, b: 0.5) }.flags
        #expect(low.map(\.message) == ["50.0 % of the pixels are at the bottom of blue: add light."])
    }

    @Test(
        "the advice names the controls that the camera has, and no others",
        arguments: [
            (
                [.exposure, .gain, .saturation], "lower the exposure or the gain, or dim the light",
                "add light or raise the exposure; for a saturated colour, lower the camera's saturation",
                "lower the camera's saturation"
            ),
            (
                [.gain], "lower the gain, or dim the light", "add light or raise the gain",
                "the colour is stronger than it reads"
            ),
            (
                [.exposure], "lower the exposure, or dim the light", "add light or raise the exposure",
                "the colour is stronger than it reads"
            ),
        ] as [(Set<ControlInfluence.Quantity>, String, String, String)])
    func adjustable(quantities: Set<ControlInfluence.Quantity>, high: String, low: String, outside: String) {
        func advice(_ change: (inout Quality.Evidence) -> Void) -> String? {
            quality {
                change(&$0)
                $0.adjustable = quantities
            }.flags.first?.message
        }
        #expect(
            advice { $0.clippedHigh = ChannelFigures(r: 1, g: 0, b: 0) }
                == "100.0 % of the pixels are at the top of red: \(high).")
        #expect(
            advice { $0.clippedLow = ChannelFigures(r: 1, g: 0, b: 0) }
                == "100.0 % of the pixels are at the bottom of red: \(low).")
        #expect(
            advice { $0.outOfGamut = 0.5 } == "50.0 % of the pixels are more saturated than sRGB can hold: \(outside).")
        let brightening = low.prefix { $0 != ";" }
        #expect(advice { $0.luminance = 0.001 } == "The area has 0.10 % of the light of white: \(brightening).")
    }

    @Test(
        "a reading is unsettled above a spread of 0.5 or a trend of 0.1, of which the trend is named first",
        arguments: [(0.5, 0.1, nil), (0.51, 0.1, 0.51), (0.5, 0.11, 0.11), (0.9, 2.0, 2.0)])
    func unsettled(spread: Double, trend: Double, value: Double?) {
        let quality = quality { $0.steadiness = steadiness(spread: spread, trend: trend) }
        #expect(quality.flags.map(\.code) == (value == nil ? [] : [.unsettled]))
        #expect(quality.flags.first?.value == value)
    }

    @Test(
        "the advice about a changing colour says how fast it changes, and names the lock if a control is automatic",
        arguments: [
            (6.04, [], ["The colour is changing, by ΔE 6.0 a minute. Wait until it is steady."]),
            (
                12.4, ["Gain, Automatic"],
                [
                    "The colour is changing, by ΔE 12 a minute. Wait until it is steady, or lock the camera.",
                    "1 automatic control may change the colour: Gain, Automatic is on.",
                ]
            ),
        ])
    func changing(rate: Double, automatic: [String], messages: [String]) {
        let quality = quality {
            $0.steadiness = steadiness(spread: 0.8, trend: 0.8, rate: rate)
            $0.activeAutoControls = automatic
        }
        #expect(quality.flags.map(\.message) == messages)
    }

    @Test("where the lamp of the painted scene drifts, the advice about a changing colour is to switch that off")
    func lampDrift() {
        let quality = quality {
            $0.steadiness = steadiness(spread: 0.8, trend: 0.8, rate: 25)
            $0.adjustable = [.lampDrift]
        }
        #expect(
            quality.flags.map(\.message) == [
                "The colour is changing, by ΔE 25 a minute. Switch off Lamp Drift, under Controls."
            ])
    }

    @Test(
        "noise that explains the spread is the only doubt, and noise that a change explains is none",
        arguments: [
            (1.9, 0.0, 0.6, [Quality.Flag.Code.noisy]), (2.5, 0, 0.6, [.unsettled]), (1.9, 0, 0.3, [.unsettled]),
            (0.3, 0, 0.3, []), (0.2, 0, 0.6, []), (1.9, 0.5, 0.3, [.unsettled]), (1.9, 0.5, 0.6, [.unsettled, .noisy]),
        ])
    func cause(spread: Double, trend: Double, scatter: Double, codes: [Quality.Flag.Code]) {
        let quality = quality {
            $0.noise = 0.6
            $0.steadiness = steadiness(spread: spread, trend: trend, scatter: scatter)
        }
        #expect(quality.flags.map(\.code) == codes)
    }

    @Test(
        "the advice about a single reading that is off fits the cause: noise, or a change",
        arguments: [
            (0.3, "add light, choose a larger area, or average more frames."),
            (0.1, "wait until the colour is steady."),
        ])
    func offReading(scatter: Double, advice: String) {
        let quality = quality {
            $0.noise = 0.3
            $0.steadiness = steadiness(spread: 0.6, trend: 0, scatter: scatter)
        }
        #expect(quality.flags.map(\.message) == ["One of the last readings is ΔE 0.6 from their mean: \(advice)"])
    }

    @Test("automatic controls are counted and named")
    func automatic() {
        let one = quality { $0.activeAutoControls = ["Gain, Automatic"] }.flags
        #expect(one.map(\.value) == [1])
        #expect(
            one.map(\.message) == [
                "1 automatic control may change the colour: Gain, Automatic is on. Lock for measuring."
            ])
        let three = quality { $0.activeAutoControls = ["A", "B", "C"] }.flags
        #expect(
            three.map(\.message) == [
                "3 automatic controls may change the colour: A, B and C are on. Lock for measuring."
            ])
    }

    @Test("lost frames are reported from 1 % on", arguments: [(0.0099, false), (0.01, true)])
    func lostFrames(share: Double, isReported: Bool) {
        let quality = quality { $0.losses = .init(frames: 3, seconds: 9.9, share: share) }
        #expect(quality.flags.map(\.code) == (isReported ? [.lostFrames] : []))
        #expect(quality.flags.map(\.value) == (isReported ? [3] : []))
    }

    @Test("the figures of a region's pixels are taken from its statistics")
    func statistics() {
        let statistics = RegionStatistics(
            pixels: 9, regionPixels: 9, minimum: RGB(.black),
            maximum: RGB(.white), median: RGB(.black), standardDeviation: ChannelFigures(r: 1, g: 2, b: 3),
            clippedLow: ChannelFigures(r: 0.1, g: 0.2, b: 0.3), clippedHigh: ChannelFigures(r: 0.4, g: 0.5, b: 0.6),
            outOfGamut: 0.7, dominant: DominantColor(color: RGB(.black), share: 1),
            histogram: Histogram(r: [], g: [], b: []))
        let evidence = Quality.Evidence(.init(mean: RGB(r: 10, g: 20, b: 30), statistics: statistics))
        #expect(evidence.clippedLow == ChannelFigures(r: 0.1, g: 0.2, b: 0.3))
        #expect(evidence.clippedHigh == ChannelFigures(r: 0.4, g: 0.5, b: 0.6))
        #expect(evidence.outOfGamut == 0.7)
        #expect(evidence.deviation == ChannelFigures(r: 1, g: 2, b: 3))
        #expect(evidence.mean == RGB(r: 10, g: 20, b: 30))
    }

    @Test("every flag has a figure in its message, and the worst one decides the grade")
    func all() {
        let quality = quality {
            $0.clippedLow.r = 0.002
            $0.clippedHigh.r = 0.02
            $0.outOfGamut = 0.002
            $0.luminance = 0.001
            $0.deviation.r = 50
            $0.steadiness = steadiness(spread: 1, trend: 1, scatter: 1)
            $0.noise = 1
            $0.activeAutoControls = ["A"]
            $0.moved = 3.1
            $0.isSettling = true
            $0.losses = .init(frames: 5, seconds: 10, share: 0.5)
        }
        // That of a calibration follows from the conditions of the reading (CalibratedReadingTests).
        #expect(
            quality.flags.map(\.code)
                == Quality.Flag.Code.allCases.filter { ![.calibration, .outsideChart, .aboveWhite].contains($0) })
        #expect(quality.flags.allSatisfy { $0.code == .settling || $0.message.contains(/[0-9]/) })
        #expect(quality.flags.allSatisfy { $0.message.hasSuffix(".") })
        #expect(quality.grade == .poor)
    }

    @Test("the worst flags come first, otherwise flags keep their order")
    func order() {
        let quality = quality {
            $0.clippedHigh.r = 0.002
            $0.clippedLow.r = 0.02
            $0.noise = 1
        }
        #expect(quality.flags.map(\.code) == [.clippedLow, .clippedHigh, .noisy])
    }
}
