import Color
import Foundation
import TestSupport
import Testing

@testable import Readings

@Suite("The standard error of a sample")
struct SampleStandardErrorTests {
    /// Returns colours with independent noise: 0.5 of L* in red, none in green, and 2 code values in blue.
    private func greys(_ count: Int, seed: UInt64) -> [RGB] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let deviate = generator.normal()
            let value = 255 * SRGB.encoded(pow((50 + 0.5 * deviate + 16) / 116, 3))
            return RGB(r: value, g: 100, b: 100 + 2 * deviate)
        }
    }

    @Test("the squared standard error is that of independent readings, on average")
    func independent() throws {
        var square = 0.0
        for seed in 1...100 as ClosedRange<UInt64> {
            let error = try #require(Sample.StandardError(of: greys(16, seed: seed))).channels
            #expect(error.g < 1e-12)
            square += error.b * error.b / 100
        }
        // 2 / √16. Chance autocorrelation is taken for real, so the error is a little greater.
        #expect((0.5...0.6).contains(square.squareRoot()))
    }

    @Test("the standard error of the colour is in ΔE00")
    func color() throws {
        let lightness = (0..<16).map { 50 + ($0.isMultiple(of: 3) ? 0.5 : -0.5) }
        let colors = lightness.map { lightness in
            let value = 255 * SRGB.encoded(pow((lightness + 16) / 116, 3))
            return RGB(r: value, g: value, b: value)
        }
        let expected = try #require(SeriesEstimate(lightness)).mean.standardError
        #expect(expected > 0.01)
        #expect(abs(try #require(Sample.StandardError(of: colors)).deltaE - expected) < 0.01 * expected)
    }
}
