import Color
import Testing

@testable import Metrology

/// Charts as people hold them, before simulated cameras that have known faults.
@Suite("Simulated charts")
struct ChartSimulationTests {
    enum Kind: CaseIterable {
        case full, partial, grey, skin, turned, mirrored, exchanged, zero
        /// In the light of a few metres of water, or of a street lamp: a fifth of the red, or of the blue.
        case underwater, streetLamp
    }

    /// What became of charts of one kind.
    struct Outcome {
        var refusals: [String] = []
        var models: [ColorTransform.Model] = []
        /// The differences of colours that the fit spans, by fit, in ΔE00.
        var differences: [[Double]] = []
        var misfits = 0
    }

    /// The number of charts of each kind. With 200 of each, no colour within the span is wrong by more than 2, but 15 of
    /// 3,189 by parts of a chart (2.4 at most) and 16 of 5,271 by one of 191 charts with two patches exchanged.
    private static let count = 8

    private static func camera(_ random: inout SplitMix) -> SimulatedCamera {
        var camera = SimulatedCamera.linear[Int(random.next() % 3)]
        camera.black = 0
        camera.random = SplitMix(state: random.next())
        camera.gains = camera.gains.map { $0 * (0.8 + 0.2 * random.uniform()) }
        return camera
    }

    private static func patches(_ kind: Kind, _ random: inout SplitMix) -> [Chart.Patch] {
        var left = Chart.colorChecker.patches
        switch kind {
        case .partial:
            return (0..<8 + Int(random.next() % 8)).map { _ in
                left.remove(at: Int(random.next() % UInt64(left.count)))
            }
        case .grey:
            return (0..<12).map { step in
                let lightness = 12 + 7 * Double(step)
                let lab = CIELab(lightness: lightness, a: random.normal() * 0.5, b: random.normal() * 0.5)
                return .init(name: "grey \(step)", lab: lab)
            }
        case .skin:
            return (0..<12).map { step in
                let (a, b) = (10 + 10 * random.uniform(), 12 + 12 * random.uniform())
                return .init(name: "skin \(step)", lab: CIELab(lightness: 30 + 45 * random.uniform(), a: a, b: b))
            }
        case .full, .turned, .mirrored, .exchanged, .zero, .underwater, .streetLamp: return left
        }
    }

    /// Returns the measurements of patches, each in its place on the chart.
    private static func measured(
        _ kind: Kind, _ patches: [Chart.Patch], _ camera: inout SimulatedCamera, _ random: inout SplitMix
    ) -> [PatchMeasurement] {
        let cells = SimulatedCamera.cells(count: patches.count)
        var measured = patches.map { camera.measure($0.lab) }
        switch kind {
        case .turned: measured.reverse()
        case .mirrored: measured = measured.indices.map { measured[$0 / 6 * 6 + 5 - $0 % 6] }
        case .exchanged:
            let one = Int(random.next() % 24)
            measured.swapAt(one, (one + 1 + Int(random.next() % 23)) % 24)
        case .zero: measured[Int(random.next() % 24)].linear = .zero
        case .full, .partial, .grey, .skin, .underwater, .streetLamp: break
        }
        for index in measured.indices {
            measured[index].area = cells[kind == .turned ? patches.count - 1 - index : index]
        }
        return measured
    }

    /// Returns the differences of the test colours that a fit spans, in ΔE00. A reading says when a channel is clipped.
    private static func differences(_ fit: ChartFit, _ camera: inout SimulatedCamera) -> [Double] {
        TestColors.wide.compactMap { color in
            let measured = camera.measure(LinearRGB(color), side: 3)
            let result = CIELab(fit.transform(measured.linear))
            guard (measured.clippedLow.values + measured.clippedHigh.values).allSatisfy({ $0 < 0.01 }),
                fit.span?.distance(of: result) == 0
            else { return nil }
            return CIEDE2000(color, result).total
        }
    }

    private static func outcome(of kind: Kind) -> Outcome {
        var random = SplitMix(state: 51)
        var outcome = Outcome()
        for _ in 0..<count {
            var camera = camera(&random)
            if kind == .underwater { camera.gains.r /= 5 }
            if kind == .streetLamp { camera.gains.b /= 5 }
            let patches = patches(kind, &random)
            let measured = measured(kind, patches, &camera, &random)
            do throws(MeasurementRefusal) {
                let fit = try ChartFit(
                    chart: "Test",
                    zip(patches, measured).map { .init(patch: $0, measured: $1, light: $1.linear) })
                outcome.models.append(fit.transform.model)
                outcome.misfits += fit.patches.count { $0.reason?.hasPrefix("it does not fit the rest") == true }
                outcome.differences.append(differences(fit, &camera))
            } catch {
                outcome.refusals.append(error.message)
            }
        }
        return outcome
    }

    @Test(
        "a chart in strongly coloured light is not taken for a turned one", arguments: [Kind.underwater, .streetLamp])
    func coloredLight(kind: Kind) {
        let outcome = Self.outcome(of: kind)
        #expect(outcome.refusals == [])
        #expect(outcome.models.allSatisfy { $0 != .gains })
    }

    @Test(
        "a chart, its greys or skin tones are right within ΔE00 2 for the colours that they span",
        arguments: [
            Kind.full, .grey, .skin, .zero,
        ])
    func right(kind: Kind) {
        let outcome = Self.outcome(of: kind)
        #expect(outcome.differences.joined().allSatisfy { $0 < 2 })
        #expect(outcome.models.count > Self.count * 3 / 4)
    }

    @Test("greys determine no matrix, and span no colour but greys")
    func grey() {
        let outcome = Self.outcome(of: .grey)
        #expect(outcome.models.count { $0 == .gains } > Self.count * 3 / 4)
        #expect(outcome.differences.joined().isEmpty)
    }

    @Test("eight patches of a chart are right within ΔE00 2.5 for the colours that they span")
    func partial() {
        let outcome = Self.outcome(of: .partial)
        #expect(outcome.differences.joined().allSatisfy { $0 < 2.5 })
        #expect(outcome.refusals.allSatisfy { $0.contains("patches can be used, and 8 are needed.") })
    }

    @Test(
        "a chart that is turned or mirrored is refused, with what to do",
        arguments: [
            (Kind.turned, "The chart fits turned by half: begin with the opposite corner."),
            (
                .mirrored,
                "The chart fits mirrored: begin with the other corner of its first row, and go round in the other direction."
            ),
        ])
    func orientation(kind: Kind, start: String) {
        let outcome = Self.outcome(of: kind)
        #expect(outcome.refusals.count == Self.count)
        #expect(outcome.refusals.allSatisfy { $0.hasPrefix(start) })
    }

    @Test("two patches that are exchanged, or one that is measured as black, are left out by name")
    func misfits() {
        #expect(Self.outcome(of: .exchanged).misfits > Self.count)
        #expect(Self.outcome(of: .zero).misfits > Self.count / 2)
    }
}

extension TestColors {
    /// Sixty colours of sRGB.
    fileprivate static let wide: [CIELab] = {
        var random = SplitMix(state: 21)
        return (0..<60).map { _ in
            CIELab(
                LinearRGB(r: random.uniform(), g: random.uniform(), b: random.uniform()).map { 0.02 + 0.9 * $0 * $0 })
        }
    }()
}
