import Color
import TestSupport
import Testing

@testable import Metrology

@Suite("Teaching a target")
struct TeachInTests {
    static let center = CIELab(lightness: 62, a: 10, b: 18)

    private static func parts(
        _ count: Int, _ deviations: SIMD3<Double>, using random: inout SeededGenerator
    ) -> [CIELab] {
        (0..<count).map { _ in
            CIELab(center.vector + deviations * SIMD3(random.normal(), random.normal(), random.normal()))
        }
    }

    @Test("fewer than five good parts teach nothing")
    func few() {
        var random = SeededGenerator(seed: 1)
        let parts = Self.parts(5, SIMD3(1, 1, 1), using: &random)
        #expect(TeachIn(good: Array(parts.dropLast()), bad: [], hasComponents: true) == nil)
        #expect(TeachIn(good: parts, bad: [], hasComponents: true) != nil)
    }

    @Test("the tolerance says what it covers, and how many bad parts would have passed")
    func description() throws {
        var random = SeededGenerator(seed: 1)
        let good = Self.parts(8, SIMD3(0.2, 0.2, 0.2), using: &random)
        let far = CIELab(lightness: 72, a: 10, b: 18)
        let teaching = try #require(TeachIn(good: good, bad: [far, Self.center, far], hasComponents: false))
        #expect(teaching.passingBad == [1])
        #expect(
            teaching.description
                == "Covers 99 % of such parts with a confidence of 95 %, as 8 good parts suggest."
                + " 1 of the 3 bad parts would have passed.")
        #expect(teaching.tolerance.lightness == nil)
        let none = try #require(TeachIn(good: good, bad: [far], hasComponents: false))
        #expect(none.description.hasSuffix(" None of the 1 bad parts would have passed."))
    }

    @Test("a bad part that only one component tells from the good ones does not pass")
    func badComponent() throws {
        var random = SeededGenerator(seed: 1)
        // The good parts vary in lightness only.
        let good = Self.parts(8, SIMD3(1, 0.02, 0.02), using: &random)
        let bad = CIELab(lightness: 62, a: 12, b: 21)
        #expect(try #require(TeachIn(good: good, bad: [bad], hasComponents: false)).passingBad == [0])
        #expect(try #require(TeachIn(good: good, bad: [bad], hasComponents: true)).passingBad.isEmpty)
    }

    @Test("parts that are all alike have the smallest tolerance, which is not 0")
    func alike() throws {
        let teaching = try #require(
            TeachIn(good: Array(repeating: Self.center, count: 5), bad: [], hasComponents: true))
        #expect(teaching.tolerance == Tolerance(deltaE: 0.1, lightness: 0.1, chroma: 0.1, hue: 0.1))
    }

    /// The share of trials in which the tolerance covers 99 percent of all parts, of lightness, of ΔE00, and the mean
    /// ratio of that of ΔE00 to the exact one.
    private static func coverage(
        _ count: Int, _ deviations: SIMD3<Double>, runs: Int
    ) throws -> (lightness: Double, deltaE: Double, excess: Double) {
        var random = SeededGenerator(seed: 7)
        let population = parts(runs > 1000 ? 5000 : 500, deviations, using: &random)
        let exact = population.map { CIEDE2000(center, $0).total }.sorted()[population.count * 99 / 100]
        var (lightness, deltaE, excess) = (0, 0, 0.0)
        for _ in 0..<runs {
            let good = parts(count, deviations, using: &random)
            let teaching = try #require(TeachIn(good: good, bad: [], hasComponents: true))
            let limit = try #require(teaching.tolerance.lightness)
            let offset = teaching.color.lightness - center.lightness
            let covered =
                Normal.cumulative((offset + limit) / deviations.x) - Normal.cumulative((offset - limit) / deviations.x)
            if covered >= 0.99 { lightness += 1 }
            let space = DifferenceSpace(around: teaching.color)
            let map = space.map
            let square = teaching.tolerance.deltaE * teaching.tolerance.deltaE
            let within = population.count { part in
                let vector = map * (part.vector - teaching.color.vector)
                return vector.dot(vector) <= square
            }
            if Double(within) >= 0.99 * Double(population.count) { deltaE += 1 }
            excess += teaching.tolerance.deltaE / exact
        }
        return (Double(lightness) / Double(runs), Double(deltaE) / Double(runs), excess / Double(runs))
    }

    @Test(
        "the tolerance of a component covers 99 percent of the parts in 95 percent of trials, that of ΔE00 in as many or more",
        arguments: [(5, SIMD3(0.5, 0.5, 0.5)), (10, SIMD3(0.5, 0.05, 0.05)), (20, SIMD3(0.3, 0.1, 0.2))])
    func coverage(count: Int, deviations: SIMD3<Double>) throws {
        let runs = VerdictSimulationTests.isComplete ? 4000 : 60
        let coverage = try Self.coverage(count, deviations, runs: runs)
        let error = (0.0475 / Double(runs)).squareRoot()
        #expect(abs(coverage.lightness - 0.95) < 0.02 + 3 * error)
        #expect(coverage.deltaE > 0.93 - 3 * error)
        #expect(coverage.excess < 3.2)
        if VerdictSimulationTests.isComplete { print("TEACH \(count) parts, \(deviations): \(coverage)") }
    }
}
