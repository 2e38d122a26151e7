import Color
import Foundation
import TestSupport
import Testing

@testable import Metrology

/// Simulated series of readings around a target, whose true difference is known.
///
/// `SWATCHCAM_SIMULATIONS=10000 make unit TARGET=Metrology` runs as many series of each kind, and prints the shares. A
/// release build takes some minutes for that, a debug build hours.
@Suite("Verdicts on simulated readings")
struct VerdictSimulationTests {
    /// The noise of a scene along the axes in which ΔE00 is the distance.
    enum Noise: String, CaseIterable {
        case isotropic, oneDirection, twoDirections

        var deviations: SIMD3<Double> {
            switch self {
            case .isotropic: SIMD3(1, 1, 1)
            case .oneDirection: SIMD3(1, 0.4, 0.15)
            case .twoDirections: SIMD3(1, 1, 0.1)
            }
        }

        /// The directions of the true difference that are not alike.
        var directions: [SIMD3<Double>] {
            let loud = SIMD3<Double>(1, 0, 0)
            return self == .isotropic ? [loud] : [loud, SIMD3(0, 0, 1)]
        }
    }

    struct Scene: CustomStringConvertible {
        var count: Int
        var autocorrelation: Double
        var noise: Noise
        /// The tolerance in standard deviations of a reading in the noisiest direction.
        var ratio: Double

        var description: String { "\(count) readings, ρ \(autocorrelation), \(noise.rawValue), tolerance \(ratio) σ" }
    }

    /// The share of each verdict.
    struct Shares {
        var pass = 0.0
        var fail = 0.0
        var close = 0.0
    }

    static let isComplete = ProcessInfo.processInfo.environment["SWATCHCAM_SIMULATIONS"] != nil
    static let runs = ProcessInfo.processInfo.environment["SWATCHCAM_SIMULATIONS"].flatMap { Int($0) } ?? 100
    static let distances = [0, 0.5, 0.9, 1, 1.1, 2]
    static let target = CIELab(lightness: 52, a: 38, b: -21)

    static let scenes: [Scene] =
        isComplete
        ? [8, 16, 32].flatMap { count in
            [0, 0.6].flatMap { rho in
                [Noise.isotropic, .oneDirection].flatMap { noise in
                    [1, 3, 10].map { Scene(count: count, autocorrelation: rho, noise: noise, ratio: $0) }
                }
            }
        }
            + [0.5, 3].flatMap { ratio in
                [0.3, 0.8].map { Scene(count: 8, autocorrelation: $0, noise: .twoDirections, ratio: ratio) }
            }
        : [
            Scene(count: 8, autocorrelation: 0, noise: .isotropic, ratio: 3),
            Scene(count: 8, autocorrelation: 0.6, noise: .oneDirection, ratio: 1),
            Scene(count: 16, autocorrelation: 0.3, noise: .twoDirections, ratio: 10),
        ]

    @Test("wrong passes and wrong fails are at most 2.5 percent each, at every distance", arguments: scenes)
    func risks(scene: Scene) throws {
        // Three standard errors of the simulation on top.
        let limit = 0.025 + 3 * (0.025 * 0.975 / Double(Self.runs)).squareRoot()
        for direction in scene.noise.directions {
            var line = "\(scene), towards \(direction.x), \(direction.y), \(direction.z):"
            for distance in Self.distances {
                var random = SeededGenerator(seed: 1)
                var shares = Shares()
                let start = Simulation(scene: scene, distance: distance, direction: direction)
                for _ in 0..<Self.runs {
                    var simulation = start
                    switch try Self.rule(simulation.readings(scene.count, using: &random)).outcome {
                    case .pass: shares.pass += 1 / Double(Self.runs)
                    case .fail: shares.fail += 1 / Double(Self.runs)
                    case .close: shares.close += 1 / Double(Self.runs)
                    }
                }
                // At the tolerance itself, either is wrong.
                if distance >= 1 { #expect(shares.pass <= limit, "\(scene), distance \(distance)") }
                if distance <= 1 { #expect(shares.fail <= limit, "\(scene), distance \(distance)") }
                line += " [\(distance): \(Self.percent(shares.pass)) \(Self.percent(shares.fail))"
                line += " \(Self.percent(shares.close))]"
            }
            if Self.isComplete { print("RISK \(line)") }
        }
    }

    @Test("16 independent readings decide almost always at half and at twice a tolerance of ten deviations")
    func decisive() throws {
        let scene = Scene(count: 16, autocorrelation: 0, noise: .isotropic, ratio: 10)
        var random = SeededGenerator(seed: 3)
        for (distance, expected) in [(0.0, Verdict.Outcome.pass), (0.5, .pass), (2.0, .fail)] {
            let start = Simulation(scene: scene, distance: distance, direction: SIMD3(1, 0, 0))
            let right = try (0..<100).count { _ in
                var simulation = start
                return try Self.rule(simulation.readings(16, using: &random)).outcome == expected
            }
            #expect(right >= 99)
        }
    }

    @Test(
        "the stated number of further readings decides in four of five cases, if any difference is equally likely",
        arguments: [(0.0, Noise.isotropic), (0.0, .oneDirection), (0.6, .isotropic)])
    func readingsToDecide(autocorrelation: Double, noise: Noise) throws {
        let scene = Scene(count: 16, autocorrelation: autocorrelation, noise: noise, ratio: 1.5)
        let direction = noise.directions.last ?? SIMD3(1, 0, 0)
        var random = SeededGenerator(seed: 4)
        /// Returns how many series have a stated number, how often it decided, and the mean of the numbers.
        func shares(_ distance: Double?, _ runs: Int) throws -> (stated: Int, decided: Double, mean: Double) {
            var (stated, decided, sum) = (0, 0.0, 0.0)
            for _ in 0..<runs {
                let distance = distance ?? Double.random(in: 0...3, using: &random)
                var simulation = Simulation(scene: scene, distance: distance, direction: direction)
                let readings = simulation.readings(scene.count, using: &random)
                let rule = try Self.rule(readings)
                guard rule.outcome == .close, let further = rule.readingsToDecide else { continue }
                let all = readings + simulation.readings(further, using: &random)
                (stated, sum) = (stated + 1, sum + Double(further))
                if try Self.rule(all).outcome != .close { decided += 1 }
            }
            let count = Double(max(1, stated))
            return (stated, decided / count, sum / count)
        }
        let all = try shares(nil, Self.isComplete ? Self.runs : 100)
        #expect(all.stated > 5)
        #expect(all.decided > 0.8 - 3 * (0.16 / Double(all.stated)).squareRoot())
        guard Self.isComplete else { return }
        print("READINGS \(scene), any distance: \(all)")
        for distance in Self.distances {
            print("READINGS \(scene), distance \(distance):", try shares(distance, Self.runs))
        }
    }

    static func percent(_ share: Double) -> String { String(format: "%.2f", 100 * share) }

    private static func rule(_ readings: [CIELab]) throws -> DecisionRule {
        let target = ColorTarget(name: "", color: target, tolerance: Tolerance(deltaE: Simulation.tolerance))
        let color = try #require(MeasuredColor(readings))
        return DecisionRule(target, color, difference: CIEDE2000(target.color, color.mean))
    }
}

/// A scene whose true difference from the target is known.
struct Simulation {
    static let tolerance = 0.5
    private let mean: SIMD3<Double>
    private let map: LinearMap
    private let deviations: SIMD3<Double>
    private let autocorrelation: Double
    /// The noise of the last reading.
    private var noise: SIMD3<Double>?

    init(scene: VerdictSimulationTests.Scene, distance: Double, direction: SIMD3<Double>) {
        let target = VerdictSimulationTests.target
        // The inverse of the map to the space, by its adjugate.
        let (a, b, c) = DifferenceSpace(around: target).map.columns
        func cross(_ v: SIMD3<Double>, _ w: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x)
        }
        let rows = (cross(b, c), cross(c, a), cross(a, b))
        let determinant = a.dot(rows.0)
        map = LinearMap(
            columns: (
                SIMD3(rows.0.x, rows.1.x, rows.2.x) / determinant, SIMD3(rows.0.y, rows.1.y, rows.2.y) / determinant,
                SIMD3(rows.0.z, rows.1.z, rows.2.z) / determinant
            ))
        // Along the direction, the colour whose ΔE00 is exactly the distance.
        let wanted = distance * Self.tolerance
        let (vector, map) = (target.vector, map)
        let length =
            wanted == 0
            ? 0
            : Root.find(in: 0...(2 * wanted)) {
                CIEDE2000(target, CIELab(vector + map * (direction * $0))).total - wanted
            }
        mean = vector + map * (direction * length)
        deviations = scene.noise.deviations * (Self.tolerance / scene.ratio)
        autocorrelation = scene.autocorrelation
    }

    /// Returns the next readings of the series.
    mutating func readings(_ count: Int, using random: inout SeededGenerator) -> [CIELab] {
        let share = (1 - autocorrelation * autocorrelation).squareRoot()
        return (0..<count).map { _ in
            let fresh = SIMD3(random.normal(), random.normal(), random.normal())
            let current = noise.map { autocorrelation * $0 + share * fresh } ?? fresh
            noise = current
            return CIELab(mean + map * (current * deviations))
        }
    }
}
