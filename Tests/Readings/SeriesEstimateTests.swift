import Foundation
import Metrology
import TestSupport
import Testing

@testable import Readings

@Suite("The mean and slope of a series")
struct SeriesEstimateTests {
    /// Autoregressive series of order 1 with mean 0 and standard deviation 1.
    private struct Series {
        var generator: SeededGenerator
        var count: Int
        var autocorrelation: Double

        mutating func next() -> [Double] {
            var last = generator.normal()
            let share = (1 - autocorrelation * autocorrelation).squareRoot()
            return (0..<count).map { _ in
                defer { last = autocorrelation * last + share * generator.normal() }
                return last
            }
        }
    }

    /// Returns the percentages of 10,000 simulated series whose intervals of 95 % contain the true mean and the true
    /// slope.
    private func coverage(count: Int, autocorrelation: Double) throws -> (mean: Double, slope: Double) {
        var series = Series(generator: SeededGenerator(seed: 1), count: count, autocorrelation: autocorrelation)
        var hits = (mean: 0, slope: 0)
        var factors: [Int: Double] = [:]
        let polynomials = try #require(SeriesEstimate.polynomials(at: (0..<count).map(Double.init)))
        for _ in 0..<10_000 {
            let estimate = try #require(SeriesEstimate(series.next(), polynomials: polynomials))
            let freedom = estimate.degreesOfFreedom
            let factor = factors[freedom] ?? StudentsT.quantile(0.975, degreesOfFreedom: Double(freedom))
            factors[freedom] = factor
            if abs(estimate.mean.value) <= factor * estimate.mean.standardError { hits.mean += 1 }
            if abs(estimate.slope.value) <= factor * estimate.slope.standardError { hits.slope += 1 }
        }
        return (Double(hits.mean) / 100, Double(hits.slope) / 100)
    }

    @Test(
        "intervals of 95 % contain the mean and the slope of 95 ± 1 % of 10,000 autoregressive series",
        arguments: [(8, 0), (16, 0.3), (16, 0.6), (32, 0.6)])
    func usualCases(count: Int, autocorrelation: Double) throws {
        let coverage = try coverage(count: count, autocorrelation: autocorrelation)
        #expect(abs(coverage.mean - 95) <= 1)
        #expect(abs(coverage.slope - 95) <= 1)
    }

    @Test(
        "intervals of few or strongly autocorrelated values contain the truth in at least 91 % of 10,000 series",
        arguments: [(8, 0.6), (32, 0.8)])
    func hardCases(count: Int, autocorrelation: Double) throws {
        let coverage = try coverage(count: count, autocorrelation: autocorrelation)
        #expect(min(coverage.mean, coverage.slope) > 91)
    }

    @Test("a straight line has its slope and its mean, without an error, at unequal times")
    func line() throws {
        let times = [0.0, 0.25, 0.5, 1, 1.25, 2, 3.5, 4, 4.25, 6]
        let polynomials = try #require(SeriesEstimate.polynomials(at: times))
        let estimate = try #require(SeriesEstimate(times.map { 7 - 3 * $0 }, polynomials: polynomials))
        #expect(abs(estimate.slope.value + 3) < 1e-12)
        #expect(abs(estimate.mean.value - (7 - 3 * 2.275)) < 1e-12)
        #expect(estimate.slope.standardError < 1e-12)
        #expect(estimate.mean.standardError > 0.1)
        let constant = try #require(SeriesEstimate([Double](repeating: 5, count: 20)))
        #expect(abs(constant.mean.value - 5) < 1e-12 && constant.mean.standardError < 1e-12)
        #expect(abs(constant.slope.value) < 1e-12 && constant.slope.standardError < 1e-12)
    }

    @Test("fewer than eight values, or values at one time, have no estimate")
    func few() {
        for count in [0, 1, 3, 7] { #expect(SeriesEstimate((0..<count).map(Double.init)) == nil) }
        #expect(SeriesEstimate.polynomials(at: [Double](repeating: 3, count: 8)) == nil)
    }
}
