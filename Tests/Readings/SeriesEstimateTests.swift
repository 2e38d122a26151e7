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

        /// Returns a normal deviate, by Box and Muller's transform.
        private mutating func deviate() -> Double {
            let (one, two) = (
                1 - Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator)
            )
            return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
        }

        mutating func next() -> [Double] {
            var last = deviate()
            let share = (1 - autocorrelation * autocorrelation).squareRoot()
            return (0..<count).map { _ in
                defer { last = autocorrelation * last + share * deviate() }
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
        "intervals of 95 % contain the mean of 95 ± 1 % of 10,000 autoregressive series",
        arguments: [(8, 0), (8, 0.3), (16, 0), (16, 0.3), (16, 0.6), (32, 0), (32, 0.3), (32, 0.6)])
    func mean(count: Int, autocorrelation: Double) throws {
        #expect(abs(try coverage(count: count, autocorrelation: autocorrelation).mean - 95) <= 1)
    }

    @Test(
        "intervals of 95 % contain the slope of 95 ± 1 % of 10,000 autoregressive series",
        arguments: [(8, 0), (16, 0), (16, 0.3), (16, 0.6), (32, 0.6), (60, 0), (60, 0.6)])
    func slope(count: Int, autocorrelation: Double) throws {
        #expect(abs(try coverage(count: count, autocorrelation: autocorrelation).slope - 95) <= 1)
    }

    @Test(
        "intervals of few or strongly autocorrelated values contain the truth in at least 91 % of 10,000 series",
        arguments: [(8, 0.6), (16, 0.8), (32, 0.8)])
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
    }

    @Test("a constant has no slope and no error")
    func constant() throws {
        let estimate = try #require(SeriesEstimate([Double](repeating: 5, count: 20)))
        #expect(abs(estimate.mean.value - 5) < 1e-12)
        #expect(estimate.mean.standardError < 1e-12)
        #expect(abs(estimate.slope.value) < 1e-12)
        #expect(estimate.slope.standardError < 1e-12)
    }

    @Test("fewer than eight values have no estimate", arguments: [0, 1, 3, 7])
    func few(count: Int) {
        #expect(SeriesEstimate((0..<count).map(Double.init)) == nil)
    }

    @Test("values at one time have no estimate")
    func oneTime() {
        #expect(SeriesEstimate.polynomials(at: [Double](repeating: 3, count: 8)) == nil)
    }
}
