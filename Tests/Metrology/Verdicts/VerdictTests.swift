import Color
import Testing

@testable import Metrology

@Suite("Verdicts")
struct VerdictTests {
    static let red = CIELab(lightness: 50, a: 60, b: 35)

    /// Readings that scatter around a colour by the same in all directions, by about 0.1.
    static func readings(_ color: CIELab, count: Int = 16, noise: Double = 0.1) -> [CIELab] {
        (0..<count).map { index in
            // The corners of a cube in an order without autocorrelation.
            let code = [0, 7, 1, 6, 3, 4, 2, 5][index % 8]
            func sign(_ bit: Int) -> Double { code >> bit & 1 == 0 ? noise : -noise }
            return CIELab(lightness: color.lightness + sign(0), a: color.a + sign(1), b: color.b + sign(2))
        }
    }

    static func verdict(
        _ readings: [CIELab], _ tolerance: Tolerance = Tolerance(), refusal: String? = nil
    ) throws -> Verdict {
        let target = ColorTarget(name: "red", color: red, tolerance: tolerance)
        return Verdict(of: try #require(MeasuredColor(readings)), against: target, refusal: refusal)
    }

    static func moved(_ l: Double = 0, _ a: Double = 0, _ b: Double = 0) -> CIELab {
        CIELab(lightness: red.lightness + l, a: red.a + a, b: red.b + b)
    }

    @Test("the colour of the target passes, without a reason")
    func pass() throws {
        let verdict = try Self.verdict(Self.readings(Self.red))
        #expect(verdict.outcome == .pass)
        #expect(verdict.deltaE < 0.01)
        #expect(verdict.interval?.lowerBound == 0)
        #expect(try #require(verdict.interval).upperBound < 0.2)
        #expect(verdict.reason == nil)
        #expect(verdict.readingsToDecide == nil)
        #expect(verdict.description.isEmpty)
    }

    @Test("a colour far beyond the tolerance fails, with its parts, words and the tolerance that it exceeds")
    func fail() throws {
        let verdict = try Self.verdict(Self.readings(Self.moved(5)))
        let difference = CIEDE2000(Self.red, Self.moved(5))
        #expect(verdict.outcome == .fail)
        #expect(abs(verdict.deltaE - difference.total) < 1e-9)
        #expect(abs(verdict.lightness.value - 5) < 1e-9)
        #expect(abs(verdict.lightness.standardError - 0.1 / 16.0.squareRoot()) < 0.02)
        #expect(verdict.description == "lighter")
        #expect(verdict.reason == "ΔE00 is 4.91, and the tolerance is 2.")
    }

    @Test("a colour at the tolerance is too close to call, and the number of readings that would decide is stated")
    func close() throws {
        let verdict = try Self.verdict(Self.readings(Self.moved(2.05), noise: 0.5), Tolerance(deltaE: 2))
        #expect(verdict.outcome == .close)
        let readings = try #require(verdict.readingsToDecide)
        #expect(readings > 16)
        let sentence = "The difference is too close to the tolerance: about \(readings) more readings would decide."
        #expect(verdict.reason == sentence)
    }

    @Test("if the tolerance is below the noise and too many readings would be needed, the verdict says so")
    func belowNoise() throws {
        let verdict = try Self.verdict(Self.readings(Self.moved(0.2), count: 32, noise: 1), Tolerance(deltaE: 0.2))
        #expect(verdict.outcome == .close)
        #expect(verdict.readingsToDecide == nil)
        let reason = try #require(verdict.reason)
        #expect(reason.hasPrefix("More readings will not decide: the tolerance is below the noise of ΔE00 "))
    }

    @Test("a colour without noise is decided by its distance alone")
    func noNoise() throws {
        #expect(try Self.verdict(Self.readings(Self.moved(1), noise: 0), Tolerance(deltaE: 1)).outcome == .pass)
        #expect(try Self.verdict(Self.readings(Self.moved(1.1), noise: 0), Tolerance(deltaE: 1)).outcome == .fail)
    }

    @Test("fewer than 8 readings have no verdict, but a difference")
    func few() throws {
        let verdict = try Self.verdict(Self.readings(Self.red, count: 7))
        #expect(verdict.outcome == nil)
        #expect(verdict.interval == nil)
        #expect(verdict.deltaE < 0.1)
        #expect(verdict.reason == "There are 7 of the 8 readings that a verdict needs.")
        #expect(try Self.verdict(Self.readings(Self.red, count: 8)).outcome == .pass)
        #expect(MeasuredColor([]) == nil)
    }

    @Test("a refused verdict has the reason for it")
    func refused() throws {
        let verdict = try Self.verdict(Self.readings(Self.red), refusal: "The colour is changing.")
        #expect(verdict.outcome == nil)
        #expect(verdict.reason == "The colour is changing.")
    }

    @Test("a component beyond its own tolerance fails, although ΔE00 is within its own")
    func components() throws {
        var tolerance = Tolerance(deltaE: 5)
        #expect(try Self.verdict(Self.readings(Self.moved(2)), tolerance).outcome == .pass)
        tolerance.lightness = 1
        let verdict = try Self.verdict(Self.readings(Self.moved(2)), tolerance)
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason == "ΔL' is 2, and the tolerance is 1.")
        tolerance = Tolerance(deltaE: 20, chroma: 1)
        #expect(try Self.verdict(Self.readings(Self.moved(0, 6, 3.5)), tolerance).outcome == .fail)
        #expect(try Self.verdict(Self.readings(Self.moved(0, -6, -3.5)), tolerance).outcome == .fail)
        #expect(try Self.verdict(Self.readings(Self.moved(3)), tolerance).outcome == .pass)
        tolerance = Tolerance(deltaE: 20, hue: 1)
        #expect(try Self.verdict(Self.readings(Self.moved(0, -3, 5)), tolerance).outcome == .fail)
        #expect(try Self.verdict(Self.readings(Self.moved(3)), tolerance).outcome == .pass)
    }

    @Test("a component at its tolerance is too close to call")
    func closeComponent() throws {
        let tolerance = Tolerance(deltaE: 5, lightness: 1)
        #expect(try Self.verdict(Self.readings(Self.moved(1), noise: 0.5), tolerance).outcome == .close)
    }

    @Test("autocorrelated readings decide less than as many independent ones")
    func autocorrelation() throws {
        let color = Self.moved(1.9)
        let independent = Self.readings(color, count: 32, noise: 0.2)
        // The same readings, sorted into four runs.
        let correlated = independent.sorted { ($0.lightness, $0.a, $0.b) < ($1.lightness, $1.a, $1.b) }
        #expect(try #require(MeasuredColor(independent)).autocorrelation < 0.1)
        #expect(try #require(MeasuredColor(correlated)).autocorrelation > 0.5)
        let intervals = try [independent, correlated].map { try #require(try Self.verdict($0).interval) }
        let widths = intervals.map { $0.upperBound - $0.lowerBound }
        #expect(widths[1] > 2 * widths[0])
    }

    @Test("the coordinates keep ΔE00 for large differences of hue, too")
    func largeDifference() throws {
        let blue = CIELab(lightness: 35, a: 20, b: -60)
        let verdict = try Self.verdict(Self.readings(blue))
        #expect(abs(verdict.deltaE - CIEDE2000(Self.red, blue).total) < 0.01)
        let interval = try #require(verdict.interval)
        #expect(interval.lowerBound < verdict.deltaE && verdict.deltaE < interval.upperBound)
    }
}

@Suite("Differences in words")
struct DifferenceWordsTests {
    @Test(
        "a difference has the words of the colour trade",
        arguments: [
            (CIELab(lightness: 50, a: 60, b: 35), SIMD3(-3.0, 0, 0), "darker"),
            (CIELab(lightness: 50, a: 60, b: 35), SIMD3(0.0, 6, 3.5), "more vivid"),
            (CIELab(lightness: 50, a: 60, b: 35), SIMD3(0.0, -6, -3.5), "duller"),
            (CIELab(lightness: 50, a: 60, b: 35), SIMD3(0.0, -3, 5), "yellower"),
            (CIELab(lightness: 50, a: 60, b: 35), SIMD3(0.0, 3, -5), "bluer"),
            (CIELab(lightness: 70, a: 40, b: 60), SIMD3(0.0, 5, -3), "redder"),
            (CIELab(lightness: 85, a: 0, b: 80), SIMD3(0.0, -5, 0), "greener"),
            (CIELab(lightness: 85, a: 0, b: 80), SIMD3(0.0, 5, 0), "redder"),
            (CIELab(lightness: 50, a: -50, b: 14), SIMD3(0.0, 1, 5), "yellower"),
            (CIELab(lightness: 50, a: -50, b: 14), SIMD3(0.0, -1, -5), "bluer"),
            (CIELab(lightness: 40, a: -15, b: -35), SIMD3(0.0, 5, -2), "redder"),
            (CIELab(lightness: 40, a: -15, b: -35), SIMD3(0.0, -5, 2), "greener"),
            (CIELab(lightness: 60, a: 0, b: 0), SIMD3(0.0, 0, 2), "yellower"),
            (CIELab(lightness: 60, a: 0, b: 0), SIMD3(0.0, -2, 0), "greener"),
            (CIELab(lightness: 60, a: 0, b: 0), SIMD3(2.0, 0, -2), "lighter, bluer"),
            (CIELab(lightness: 50, a: 60, b: 35), SIMD3(0.01, 0, 0), ""),
        ])
    func words(target: CIELab, difference: SIMD3<Double>, words: String) throws {
        let color = CIELab(target.vector + difference)
        let measured = try #require(MeasuredColor(VerdictTests.readings(color, noise: 0.02)))
        #expect(Verdict(of: measured, against: ColorTarget(name: "", color: target)).description == words)
    }

    @Test("what may be noise has no word")
    func noise() throws {
        let target = ColorTarget(name: "", color: VerdictTests.red)
        let measured = try #require(MeasuredColor(VerdictTests.readings(VerdictTests.moved(0.5), noise: 2)))
        #expect(Verdict(of: measured, against: target).description.isEmpty)
    }
}

@Suite("A target of several colours")
struct SeveralColorsTests {
    private func verdict(_ color: CIELab, _ offsets: [Double], noise: Double = 0.02) throws -> Verdict {
        let colors = offsets.map { VerdictTests.moved($0) }
        let target = ColorTarget(name: "", color: colors[0], alternatives: Array(colors.dropFirst()))
        return Verdict(of: try #require(MeasuredColor(VerdictTests.readings(color, noise: noise))), against: target)
    }

    @Test("it passes if one of its colours does, with the figures of the nearest")
    func passes() throws {
        let verdict = try verdict(VerdictTests.moved(29.5), [0, 28.5, 30])
        #expect(verdict.outcome == .pass)
        #expect(verdict.color == VerdictTests.moved(30))
        #expect(verdict.deltaE < 0.6)
    }

    @Test("it fails if all of its colours do, with the figures of the nearest")
    func fails() throws {
        let verdict = try verdict(VerdictTests.moved(18), [0, 30])
        #expect(verdict.outcome == .fail)
        #expect(verdict.color == VerdictTests.moved(30))
    }

    @Test("it is too close to call if one of its colours is, and none passes")
    func close() throws {
        let verdict = try verdict(VerdictTests.moved(-2.05), [30, 0], noise: 0.5)
        #expect(verdict.outcome == .close)
        #expect(verdict.color == VerdictTests.red)
    }
}

@Suite("Several targets")
struct TargetMatchTests {
    private func verdicts(_ color: CIELab, noise: Double = 0.02, _ tolerance: Double = 2) throws -> [Verdict] {
        let measured = try #require(MeasuredColor(VerdictTests.readings(color, noise: noise)))
        return [0, 3, 30].map { offset in
            let target = ColorTarget(
                name: "\(offset)", color: VerdictTests.moved(offset), tolerance: Tolerance(deltaE: tolerance))
            return Verdict(of: measured, against: target)
        }
    }

    @Test("the nearest target that passes matches, uniquely if all others fail")
    func match() throws {
        #expect(TargetMatch(try verdicts(VerdictTests.red)) == .target(0, isUnique: true))
        #expect(TargetMatch(try verdicts(VerdictTests.moved(2.8))) == .target(1, isUnique: true))
        #expect(TargetMatch(try verdicts(VerdictTests.moved(1.3))) == .target(0, isUnique: false))
        #expect(TargetMatch(try verdicts(VerdictTests.moved(1.8))) == .target(1, isUnique: false))
    }

    @Test("a colour beyond every tolerance matches none")
    func none() throws {
        #expect(TargetMatch(try verdicts(VerdictTests.moved(15))) == .none)
        #expect(TargetMatch([]) == .none)
    }

    @Test("a match is undecided if the only target in question is too close to call")
    func undecided() throws {
        #expect(TargetMatch(try verdicts(VerdictTests.moved(-2.05), noise: 0.5)) == .undecided)
    }

    @Test("a match is not unique while another target is too close to call")
    func closeSecond() throws {
        let match = TargetMatch(try verdicts(VerdictTests.moved(0.9), noise: 0.15, 2.05))
        #expect(match == .target(0, isUnique: false))
    }
}

@Suite("The verdict on each part")
struct VerdictTrackerTests {
    @Test("a verdict counts when it has held")
    func hold() {
        var tracker = VerdictTracker(hold: 1)
        #expect(tracker.add(.pass, at: 0) == nil)
        #expect(tracker.add(.pass, at: 0.9) == nil)
        #expect(tracker.current == nil)
        #expect(tracker.add(.pass, at: 1) == .pass)
        #expect(tracker.current == .pass)
        #expect(tracker.since == 0)
        #expect(tracker.add(.pass, at: 2) == nil)
        #expect(tracker.counts.pass == 1)
    }

    @Test("an interrupted verdict starts anew")
    func interrupted() {
        var tracker = VerdictTracker(hold: 1)
        tracker.add(.pass, at: 0)
        tracker.add(.fail, at: 0.8)
        #expect(tracker.add(.pass, at: 1) == nil)
        #expect(tracker.add(.pass, at: 1.9) == nil)
        #expect(tracker.add(.pass, at: 2) == .pass)
    }

    @Test("a decision is kept while the same part is too close to call, and gives way to the opposite one")
    func hysteresis() {
        var tracker = VerdictTracker(hold: 0)
        #expect(tracker.add(.pass, at: 0) == .pass)
        #expect(tracker.add(.close, at: 1) == nil)
        #expect(tracker.add(.close, at: 9) == nil)
        #expect(tracker.current == .pass)
        #expect(tracker.add(.pass, at: 10) == nil)
        #expect(tracker.add(.fail, at: 11) == .fail)
        #expect(tracker.counts.pass == 1)
        #expect(tracker.counts.fail == 1)
        #expect(tracker.counts.close == 0)
    }

    @Test("a part that was too close to call is counted by its decision only")
    func decidedLater() {
        var tracker = VerdictTracker(hold: 0)
        #expect(tracker.add(.close, at: 0) == .close)
        #expect(tracker.counts.close == 1)
        #expect(tracker.add(.fail, at: 1) == .fail)
        #expect(tracker.counts.close == 0)
        #expect(tracker.counts.fail == 1)
    }

    @Test("the next part is counted after a time without verdicts, but a short one does not end a part")
    func nextPart() {
        var tracker = VerdictTracker(hold: 1)
        for time in [0.0, 1] { tracker.add(.pass, at: time) }
        tracker.add(nil, at: 2)
        tracker.add(.pass, at: 2.5)
        #expect(tracker.add(.pass, at: 4) == nil)
        tracker.add(nil, at: 5)
        tracker.add(nil, at: 6)
        #expect(tracker.current == nil)
        #expect(tracker.since == nil)
        tracker.add(.pass, at: 7)
        #expect(tracker.add(.pass, at: 8) == .pass)
        #expect(tracker.counts.pass == 2)
    }

    @Test("a reset sets the counters to 0, and the present part is not counted again")
    func reset() {
        var tracker = VerdictTracker(hold: 0)
        tracker.add(.close, at: 0)
        tracker.reset()
        tracker.add(.close, at: 1)
        #expect(tracker.counts == VerdictTracker.Counts())
        #expect(tracker.add(.pass, at: 2) == .pass)
        #expect(tracker.counts.pass == 1)
        #expect(tracker.counts.close == 0)
    }
}
