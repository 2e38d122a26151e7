import Color
import Foundation
import TestSupport
import Testing

@testable import Metrology

/// Random scales and readings, whose true values are known.
///
/// `SWATCHCAM_SIMULATIONS=10000` makes 10,000 readings for each kind of scale.
@Suite("Simulated scales")
struct ScaleSimulationTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The distances of neighbours, in CIELAB.
        let spacing: ClosedRange<Double>
        /// The greatest change of direction from one segment to the next, in radians.
        let bend: Double
        /// Whether the colours of the scale are measured, too.
        var isMeasured = false
        var padCount = 1
        /// The standard deviation of a reading.
        var noise = 0.2...1.0
    }

    static let kinds = [
        Kind(testDescription: "straight", spacing: 8...30, bend: 0),
        Kind(testDescription: "curved", spacing: 3...30, bend: 0.6),
        Kind(testDescription: "with a turn", spacing: 3...30, bend: 1.6),
        Kind(testDescription: "close together", spacing: 3...5, bend: 0.6),
        Kind(testDescription: "measured", spacing: 3...30, bend: 0.6, isMeasured: true),
        Kind(testDescription: "two pads", spacing: 3...30, bend: 0.6, isMeasured: true, padCount: 2),
    ]

    /// The number of readings for each kind.
    private static let count = ProcessInfo.processInfo.environment["SWATCHCAM_SIMULATIONS"].flatMap(Int.init) ?? 400

    private struct Simulator {
        var random: SeededGenerator
        let kind: Kind

        mutating func direction() -> SIMD3<Double> {
            let vector = SIMD3(random.normal(), random.normal(), random.normal())
            return vector / vector.length
        }

        /// The colours of a scale, of one pad.
        /// - Parameter count: That of another pad; nil for any.
        mutating func colors(_ count: Int? = nil) -> [SIMD3<Double>] {
            var place = SIMD3<Double>(60, 0, 0)
            var way = direction()
            var colors = [place]
            for _ in 0..<(count.map { $0 - 1 } ?? Int.random(in: 3...7, using: &random)) {
                place += way * Double.random(in: kind.spacing, using: &random)
                colors.append(place)
                var side = direction()
                side -= side.dot(way) * way
                let angle = kind.bend * Double.random(in: 0...1, using: &random)
                way = cos(angle) * way + sin(angle) * side / side.length
            }
            return colors
        }

        /// Readings of a colour with noise of its own in each direction, and with autocorrelation.
        mutating func readings(of color: SIMD3<Double>) throws -> MeasuredColor {
            let axes = (direction(), direction(), direction())
            let deviations = (0..<3).map { _ in Double.random(in: kind.noise, using: &random) }
            let rho = Double.random(in: 0...0.5, using: &random)
            var state = SIMD3<Double>(random.normal(), random.normal(), random.normal())
            let readings = (0..<Int.random(in: 8...32, using: &random)).map { _ in
                state =
                    rho * state + (1 - rho * rho).squareRoot()
                    * SIMD3(random.normal(), random.normal(), random.normal())
                return color + axes.0 * (deviations[0] * state.x) + axes.1 * (deviations[1] * state.y)
                    + axes.2 * (deviations[2] * state.z)
            }
            return try #require(MeasuredColor(readings.map { CIELab($0) }))
        }
    }

    @Test("the interval contains the true value in 95 of 100 readings", arguments: kinds)
    func coverage(kind: Kind) throws {
        var simulator = Simulator(random: SeededGenerator(seed: 7), kind: kind)
        var (contained, ends, total) = (0, 0, 0)
        for _ in 0..<Self.count {
            var pads = [simulator.colors()]
            while pads.count < kind.padCount { pads.append(simulator.colors(pads[0].count)) }
            let last = pads[0].count - 1
            let points = try (0...last).map { index in
                let colors = pads.map { $0[index] }
                return kind.isMeasured
                    ? ColorScale.Point(
                        value: Double(index), measured: try colors.map { try simulator.readings(of: $0) })
                    : ColorScale.Point(value: Double(index), colors: colors.map { CIELab($0) })
            }
            let scale = try #require(ColorScale(points, tolerance: 6))
            let truth = Double.random(in: 0...Double(last), using: &simulator.random)
            let segment = min(Int(truth), last - 1)
            let readings = try pads.map { colors in
                try simulator.readings(
                    of: colors[segment] + (truth - Double(segment)) * (colors[segment + 1] - colors[segment]))
            }
            let value = ScaleValue(of: readings, on: scale)
            total += 1
            if value.range == .below || value.range == .above { ends += 1 }
            if value.interval?.contains(truth) == true { contained += 1 }
            if let found = value.value { #expect(0...Double(last) ~= found) }
        }
        let share = Double(contained) / Double(total)
        print("scale \(kind.testDescription): \(100 * share) % contained, \(ends) at an end, of \(total)")
        #expect(abs(share - 0.95) < 0.02 + 3 * (0.95 * 0.05 / Double(total)).squareRoot())
    }

    @Test("colours farther from the scale than the tolerance and the noise are not on it, and those on it are")
    func off() throws {
        var simulator = Simulator(random: SeededGenerator(seed: 8), kind: Self.kinds[1])
        var (wrong, missed) = (0, 0)
        for _ in 0..<Self.count {
            let colors = simulator.colors()
            let scale = try #require(
                ColorScale(colors.enumerated().map { .init(value: Double($0), colors: [CIELab($1)]) }, tolerance: 6))
            let segment = Int.random(in: 0..<colors.count - 1, using: &simulator.random)
            let on = colors[segment] + 0.5 * (colors[segment + 1] - colors[segment])
            if ScaleValue(of: [try simulator.readings(of: on)], on: scale).range == .off { wrong += 1 }
            let away = on + 40 * simulator.direction()
            let nearest = CIELab(scale.color(at: scale.nearest(to: PadVector([away])))[0])
            guard CIEDE2000(nearest, CIELab(away)).total > 12 else { continue }
            let value = ScaleValue(of: [try simulator.readings(of: away)], on: scale)
            if value.range != .off {
                missed += 1
            }
        }
        print("scale off: \(wrong) wrong, \(missed) missed of \(Self.count)")
        // With eight readings that are much alike, an estimate of their noise may be far too great.
        #expect(wrong == 0 && missed <= Self.count / 50)
    }
}
