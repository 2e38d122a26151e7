import Color
import Testing

@testable import Metrology

@Suite("Calibration of simulated cameras")
struct SimulatedCalibrationTests {
    private let conditions = MeasuringConditions(camera: "usb-A", format: "YUYV", width: 640, height: 480)

    /// Calibrates a camera by its chart.
    /// - Parameter areas: Where the patches are; all in the middle unless given.
    private func calibration(
        _ camera: inout SimulatedCamera, areas: [PictureArea]? = nil, hasFlat: Bool = false
    ) throws -> Calibration {
        let patches = Chart.colorChecker.patches.enumerated().map { index, patch in
            CalibrationMeasurements.ChartPatches.Patch(
                name: patch.name, reference: patch.lab, measured: camera.measure(patch.lab, in: areas?[index]))
        }
        let flat = hasFlat ? flat(&camera) : nil
        return try Calibration(
            CalibrationMeasurements(
                dark: camera.measure(LinearRGB.zero, side: 20), flat: flat,
                chart: .init(name: "ColorChecker Classic", patches: patches)),
            conditions: conditions, time: "2026-11-25T12:00:00.000Z")
    }

    private func flat(_ camera: inout SimulatedCamera) -> CalibrationMeasurements.Flat {
        var cells: [PatchMeasurement] = []
        for row in 0..<12 {
            for column in 0..<16 {
                let area = PictureArea(
                    x: Double(column) / 16, y: Double(row) / 12, width: 1.0 / 16, height: 1.0 / 12)
                cells.append(camera.measure(LinearRGB(all: 0.85), in: area, side: 4))
            }
        }
        return .init(columns: 16, cells: cells)
    }

    /// Returns the mean difference of 20 colours that are not on the chart, as they are and calibrated.
    private func errors(
        _ camera: inout SimulatedCamera, _ calibration: Calibration, areas: [PictureArea]? = nil
    ) -> (before: Double, after: Double) {
        let middle = PictureArea(x: 0.45, y: 0.45, width: 0.1, height: 0.1)
        var (before, after) = (0.0, 0.0)
        for (index, lab) in TestColors.colors.enumerated() {
            let area = areas?[index] ?? middle
            let measured = camera.measure(lab, in: area)
            before += CIEDE2000(lab, CIELab(measured.linear)).total / 20
            after += CIEDE2000(lab, CIELab(calibration.calibrated(measured.linear, in: area))).total / 20
        }
        return (before, after)
    }

    @Test("twenty colours that are not on the chart are read with a mean ΔE00 under 1", arguments: 0..<3)
    func unseenColors(set: Int) throws {
        var camera = SimulatedCamera.linear[set]
        let calibration = try calibration(&camera)
        let errors = errors(&camera, calibration)
        #expect(errors.before > 8)
        #expect(errors.after < 1)
        let chart = try #require(calibration.chart)
        #expect(chart.transform.model == .matrix)
        #expect(chart.before.mean > 8)
        #expect(chart.after.mean < chart.leaveOneOut.mean && chart.leaveOneOut.mean < 1)
        #expect(chart.unevenLight == nil)
    }

    @Test("with vignetting, a chart in four corners needs a flat, and says so", arguments: 0..<3)
    func vignetting(set: Int) throws {
        var camera = SimulatedCamera.linear[set]
        camera.vignetting = 0.4
        let areas = SimulatedCamera.cells(count: 24)
        let without = try calibration(&camera, areas: areas)
        #expect(try #require(without.chart?.unevenLight) > 0.1)
        let with = try calibration(&camera, areas: areas, hasFlat: true)
        #expect(with.chart?.unevenLight == nil)
        let errors = errors(&camera, with, areas: areas.reversed())
        #expect(errors.before > 8)
        #expect(errors.after < 1)
        #expect(self.errors(&camera, without, areas: areas.reversed()).after > 1.4)
    }

    @Test("vignetting does not spoil a chart whose patches are measured in one place", arguments: 0..<3)
    func onePlace(set: Int) throws {
        var camera = SimulatedCamera.linear[set]
        camera.vignetting = 0.4
        let calibration = try calibration(&camera)
        #expect(errors(&camera, calibration).after < 1)
        #expect(calibration.chart?.unevenLight == nil)
    }

    @Test("even light over a chart is never called uneven", arguments: 0..<3)
    func evenLight(set: Int) throws {
        for seed in 1...3 {
            var camera = SimulatedCamera.linear[set]
            camera.random = SplitMix(state: UInt64(seed))
            #expect(try calibration(&camera, areas: SimulatedCamera.cells(count: 24)).chart?.unevenLight == nil)
        }
    }

    @Test("a root polynomial is chosen for a camera that a matrix cannot correct, and holds at half the exposure")
    func rootPolynomial() throws {
        var camera = SimulatedCamera.linear[0]
        camera.curvature = 0.1
        let calibration = try calibration(&camera)
        #expect(calibration.chart?.transform.model == .rootPolynomial)
        #expect(errors(&camera, calibration).after < 1)
        let transform = try #require(calibration.chart?.transform)
        let light = LinearRGB(r: 0.4, g: 0.3, b: 0.2)
        let (half, whole) = (transform(light / 2), transform(light))
        #expect((half * 2 - whole).values.allSatisfy { abs($0) < 1e-12 })
    }

    @Test("a card makes greys neutral and gives them their luminance", arguments: 0..<3)
    func card(set: Int) throws {
        var camera = SimulatedCamera.linear[set]
        let grey = LinearRGB(all: 0.4)
        let calibration = try Calibration(
            CalibrationMeasurements(
                dark: camera.measure(.zero, side: 20), card: .init(measured: camera.measure(grey), luminance: 0.4)),
            conditions: conditions, time: "")
        for level in [0.1, 0.2, 0.8] {
            let found = calibration.calibrated(camera.measure(LinearRGB(all: level)).linear)
            #expect(found.values.allSatisfy { abs($0 - level) < 0.01 * level })
        }
    }

    // MARK: What may replace a calibration

    /// Calibrates by some patches of the chart, and returns why that is worse than an earlier calibration.
    private func objection(
        against earlier: Calibration, _ camera: inout SimulatedCamera, _ patches: some Sequence<Chart.Patch>
    ) throws -> String? {
        let measurements = CalibrationMeasurements(
            chart: .init(
                name: "Test",
                patches: patches.map { .init(name: $0.name, reference: $0.lab, measured: camera.measure($0.lab)) }))
        return try Calibration(measurements, conditions: conditions, time: "").objection(against: earlier, measurements)
    }

    @Test("the same chart may be measured again, also in another light")
    func replacement() throws {
        var camera = SimulatedCamera.linear[0]
        let earlier = try calibration(&camera)
        #expect(try objection(against: earlier, &camera, Chart.colorChecker.patches) == nil)
        camera.gains = camera.gains.combined(with: LinearRGB(r: 0.7, g: 0.9, b: 1.1), by: *)
        #expect(try objection(against: earlier, &camera, Chart.colorChecker.patches) == nil)
    }

    @Test("a worse chart does not replace a better one, nor greys a matrix that is right for them")
    func objections() throws {
        var camera = SimulatedCamera.linear[0]
        let earlier = try calibration(&camera)
        let greys = (0..<12).map { step in
            Chart.Patch(name: "\(step)", lab: CIELab(lightness: 12 + 7 * Double(step), a: 0, b: 0))
        }
        #expect(
            try objection(against: earlier, &camera, greys)?.hasPrefix(
                "The calibration in force is right for these greys") == true)
        let card = try Calibration(
            CalibrationMeasurements(card: .init(measured: camera.measure(LinearRGB(all: 0.4)), luminance: 0.4)),
            conditions: conditions, time: "")
        #expect(
            card.objection(against: earlier, CalibrationMeasurements())
                == "The calibration in force was made by a chart, and this one was not.")
        #expect(earlier.objection(against: card, CalibrationMeasurements()) == nil)
        // The chart has faded: its patches are no longer those of its file.
        var random = SplitMix(state: 3)
        let faded = Chart.colorChecker.patches.map { patch in
            let lab = CIELab(
                lightness: patch.lab.lightness, a: patch.lab.a + 8 * random.normal(),
                b: patch.lab.b + 8 * random.normal())
            return CalibrationMeasurements.ChartPatches.Patch(
                name: patch.name, reference: patch.lab, measured: camera.measure(lab))
        }
        let measurements = CalibrationMeasurements(chart: .init(name: "Test", patches: faded))
        let worse = try Calibration(measurements, conditions: conditions, time: "")
        var better = earlier
        better.chart = try ChartFit(
            chart: "Test",
            faded.map { one in
                let light = LinearRGB(one.reference)
                let measured = PatchMeasurement(linear: light)
                return .init(patch: .init(name: one.name, lab: one.reference), measured: measured, light: light)
            })
        #expect(worse.objection(against: better, measurements) == nil)
        let right = CalibrationMeasurements(
            chart: .init(
                name: "Test",
                patches: faded.map { one in
                    var one = one
                    one.measured.linear = LinearRGB(one.reference)
                    return one
                }))
        #expect(
            worse.objection(against: better, right)?.hasPrefix("The calibration in force is better for this chart")
                == true)
    }
}
