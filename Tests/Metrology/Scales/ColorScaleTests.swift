import Color
import Foundation
import Testing

@testable import Metrology

@Suite("Scales")
struct ColorScaleTests {
    /// A straight scale along b*, of 10 units for each step of the value.
    private static let straight = [4.0, 5, 6, 7].map {
        ColorScale.Point(value: $0, colors: [CIELab(lightness: 60, a: 0, b: 10 * ($0 - 4))])
    }

    private func scale(_ points: [ColorScale.Point] = straight, tolerance: Double = 6) throws -> ColorScale {
        try #require(ColorScale(points, tolerance: tolerance))
    }

    /// Readings about a colour, whose noise has this standard deviation along b*.
    private func readings(_ lightness: Double, _ a: Double, _ b: Double, noise: Double = 0) throws -> MeasuredColor {
        let signs = [1.0, -1, -1, 1, 1, -1, 1, -1]
        return try #require(MeasuredColor(signs.map { CIELab(lightness: lightness, a: a, b: b + noise * $0) }))
    }

    @Test("between two colours, the value is in proportion to the distance")
    func between() throws {
        let value = try ScaleValue(of: [readings(60, 0, 12.5)], on: scale())
        #expect(value.range == .within)
        #expect(try abs(#require(value.value) - 5.25) < 1e-9)
        #expect(value.distance < 1e-9 && value.reason == nil)
        let interval = try #require(value.interval)
        #expect(interval.upperBound - interval.lowerBound < 1e-5)
    }

    @Test("the value is that of the nearest point of the scale, and the distance is from there")
    func nearest() throws {
        let value = try ScaleValue(of: [readings(62, 0, 12.5)], on: scale())
        #expect(try abs(#require(value.value) - 5.25) < 1e-9)
        let expected = CIEDE2000(CIELab(lightness: 60, a: 0, b: 12.5), CIELab(lightness: 62, a: 0, b: 12.5)).total
        #expect(abs(value.distance - expected) < 1e-9)
    }

    @Test("on a long segment, the interval is the value ± t standard errors")
    func interval() throws {
        let color = try readings(60, 0, 15, noise: 0.5)
        let value = try ScaleValue(of: [color], on: scale())
        let error = color.uncertainty.covariance.diagonal.z.squareRoot() / 10
        let factor = StudentsT.quantile(0.975, degreesOfFreedom: color.uncertainty.degreesOfFreedom)
        let interval = try #require(value.interval)
        #expect(abs(interval.lowerBound - (5.5 - factor * error)) < 1e-4)
        #expect(abs(interval.upperBound - (5.5 + factor * error)) < 1e-4)
    }

    @Test("the noise of the scale's own colours widens the interval")
    func ownNoise() throws {
        let noisy = try [4.0, 5, 6, 7].map {
            ColorScale.Point(value: $0, measured: [try readings(60, 0, 10 * ($0 - 4), noise: 0.5)])
        }
        let color = try readings(60, 0, 15, noise: 0.5)
        let (exact, measured) = (
            try ScaleValue(of: [color], on: scale()), try ScaleValue(of: [color], on: scale(noisy))
        )
        func width(_ value: ScaleValue) throws -> Double {
            let interval = try #require(value.interval)
            return interval.upperBound - interval.lowerBound
        }
        #expect(try width(measured) > 1.1 * width(exact))
    }

    @Test(
        "before the first and behind the last colour, there is no value, but a word",
        arguments: [(-3.0, ScaleValue.Range.below), (33, .above)])
    func ends(b: Double, range: ScaleValue.Range) throws {
        let value = try ScaleValue(of: [readings(60, 0, b, noise: 0.1)], on: scale())
        #expect(value.range == range)
        #expect(value.value == nil && value.interval == nil)
        #expect(value.reason == (range == .below ? "Below 4: the scale ends there." : "Above 7: the scale ends there."))
    }

    @Test("a colour that noise may have put before the first has the first value, and an interval that begins there")
    func nearEnd() throws {
        let value = try ScaleValue(of: [readings(60, 0, -0.1, noise: 0.5)], on: scale())
        #expect(value.value == 4 && value.interval?.lowerBound == 4)
        #expect(try #require(value.interval).upperBound > 4)
    }

    @Test("a colour that can hardly be told from that of an end has its value, however little noise there is")
    func alikeAtEnd() throws {
        let value = try ScaleValue(of: [readings(60, 0, 30.5, noise: 0.001)], on: scale())
        #expect(value.range == .within && value.value == 7)
        #expect(value.interval?.upperBound == 7)
    }

    @Test("a colour far from the scale has no value")
    func off() throws {
        let value = try ScaleValue(of: [readings(60, 30, 15, noise: 0.1)], on: scale())
        #expect(value.range == .off && value.value == nil)
        #expect(try #require(value.reason).hasPrefix("Not on this scale"))
    }

    @Test("neighbours that noise makes alike cannot be told apart")
    func resolution() throws {
        let close = [6.0, 6.5, 7, 7.5].map {
            ColorScale.Point(value: $0, colors: [CIELab(lightness: 60, a: 0, b: 2 * ($0 - 6))])
        }
        let value = try ScaleValue(of: [readings(60, 0, 1.5, noise: 1)], on: scale(close))
        #expect(value.reason == "The readings cannot tell 6.5 from 7.")
        #expect(value.value != nil)
    }

    @Test("where the scale comes near itself, the interval has both values, and the reason says so")
    func turn() throws {
        // A hairpin whose arms are 2 units apart.
        let hairpin = [(1.0, 0.0, 0.0), (2, 0, 30), (3, 2, 30), (4, 2, 0)].map {
            ColorScale.Point(value: $0.0, colors: [CIELab(lightness: 60, a: $0.1, b: $0.2)])
        }
        let signs = [1.0, -1, -1, 1, 1, -1, 1, -1]
        let color = try #require(MeasuredColor(signs.map { CIELab(lightness: 60, a: 0.8 + 2 * $0, b: 10) }))
        let value = ScaleValue(of: [color], on: try scale(hairpin))
        let interval = try #require(value.interval)
        #expect(abs(interval.lowerBound - 1.333) < 0.01 && interval.contains(3.667) && interval.upperBound < 3.8)
        #expect(try #require(value.reason).contains("may also be 3."))
    }

    @Test("without eight readings, or with a refusal, there is no value")
    func refused() throws {
        let few = try #require(MeasuredColor([CIELab(lightness: 60, a: 0, b: 15)]))
        let value = ScaleValue(of: [few], on: try scale())
        #expect(value.range == nil && value.reason == "There are 1 of the 8 readings that a value needs.")
        let refused = try ScaleValue(of: [readings(60, 0, 15)], on: scale(), refusal: "It is dark.")
        #expect(refused.range == nil && refused.value == nil && refused.reason == "It is dark.")
    }

    @Test("two pads together tell a value that neither tells alone")
    func pads() throws {
        // One pad changes up to the middle, the other from there.
        let places = [(1.0, 0.0, 0.0), (2, 20, 0), (3, 20, 20)]
        let points = places.map { value, first, second in
            ColorScale.Point(
                value: value,
                colors: [first, second].map { CIELab(lightness: 60, a: 0, b: $0) })
        }
        let value = try ScaleValue(
            of: [readings(60, 0, 20, noise: 0.2), readings(60, 0, 5, noise: 0.2)], on: scale(points))
        #expect(try abs(#require(value.value) - 2.25) < 1e-9)
        let interval = try #require(value.interval)
        #expect(interval.lowerBound > 2.2 && interval.upperBound < 2.3)
    }

    @Test("one pad that is off the scale is enough, and the distance is its own")
    func padOff() throws {
        let points = [1.0, 2, 3].map {
            ColorScale.Point(
                value: $0, colors: [CIELab(lightness: 60, a: 0, b: 10 * $0), CIELab(lightness: 60, a: 0, b: 10 * $0)])
        }
        let value = try ScaleValue(of: [readings(60, 0, 20), readings(60, 40, 20)], on: scale(points))
        #expect(value.range == .off)
        let expected = CIEDE2000(CIELab(lightness: 60, a: 0, b: 20), CIELab(lightness: 60, a: 40, b: 20)).total
        #expect(abs(value.distance - expected) < 1e-6)
    }

    @Test("the standard error of a known colour widens the interval as that of a measured one does")
    func knownError() throws {
        let points = [4.0, 5, 6, 7].map {
            ColorScale.Point(
                value: $0, colors: [CIELab(lightness: 60, a: 0, b: 10 * ($0 - 4))], errors: [sqrt(3)])
        }
        let value = try ScaleValue(of: [readings(60, 0, 10)], on: scale(points))
        let interval = try #require(value.interval)
        // In the place of a colour, its standard error is 1 in each direction, and 10 units are one of the value.
        #expect(abs(interval.upperBound - 5 - 0.17) < 0.02)
    }

    @Test("a scale needs three points with different values, of which neighbours differ in colour")
    func points() {
        let points = Self.straight
        #expect(ColorScale(Array(points.prefix(2)), tolerance: 6) == nil)
        #expect(ColorScale(points + [points[0]], tolerance: 6) == nil)
        let alike = ColorScale.Point(value: 4.5, colors: points[0].colors)
        #expect(ColorScale(points + [alike], tolerance: 6) == nil)
        #expect(ColorScale(points.reversed(), tolerance: 6)?.points == points)
    }
}
