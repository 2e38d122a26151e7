import Color
import Foundation
import TestSupport
import Testing

@testable import Metrology

@Suite("Fits of colour charts")
struct ChartFitTests {
    /// Returns the patches of the chart as a camera with crosstalk delivers them.
    static func patches(_ seed: UInt64 = 1, count: Int = 24, curvature: Double = 0) -> [ChartFit.Measurement] {
        var camera = SimulatedCamera.linear[0]
        camera.random = SplitMix(state: seed)
        camera.curvature = curvature
        return Chart.colorChecker.patches.suffix(count).map { patch in
            let measured = camera.measure(patch.lab)
            return ChartFit.Measurement(patch: patch, measured: measured, light: measured.linear)
        }
    }

    private func refusal(_ patches: [ChartFit.Measurement]) -> String? {
        do throws(MeasurementRefusal) {
            _ = try ChartFit(chart: "Test", patches)
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: References

    @Test(
        "a fit equals NumPy's least squares, and leaving one out equals fits without it",
        .enabled(if: Python.mayRun, "there is no .venv with NumPy; make unit creates it"))
    func numpy() throws {
        let charts = (1...4).flatMap { seed in
            [
                ChartFitTests.patches(UInt64(seed)), ChartFitTests.patches(UInt64(seed), count: 9),
                ChartFitTests.patches(UInt64(seed), curvature: 0.1),
            ]
        }
        let fits = try charts.map { try ChartFit(chart: "Test", $0) }
        #expect(Set(fits.map(\.transform.model)).count == 2)
        let usable = charts.map { $0.filter { $0.reason == nil } }
        let references = try ChartReference.references(for: zip(usable, fits.map(\.transform.model)).map { $0 })
        for (fit, (patches, reference)) in zip(fits, zip(usable, references)) {
            for (row, expected) in zip(fit.transform.coefficients, reference.coefficients) {
                for (one, two) in zip(row, expected) { #expect(abs(one - two) < 1e-9) }
            }
            let predicted = zip(patches, reference.predictions).map { patch, light in
                CIEDE2000(patch.patch.lab, CIELab(LinearRGB(r: light[0], g: light[1], b: light[2]))).total
            }
            for (one, two) in zip(fit.patches.compactMap(\.deltaELeftOut), predicted) { #expect(abs(one - two) < 1e-7) }
            #expect(abs(fit.leaveOneOut.mean - predicted.reduce(0, +) / Double(predicted.count)) < 1e-7)
            #expect(abs(fit.leaveOneOut.maximum - (predicted.max() ?? 0)) < 1e-7)
        }
    }

    @Test("columns that depend on each other have no least-squares solution")
    func dependent() {
        let rows = (1...9).map { [Double($0), 2 * Double($0), 1] }
        #expect(LeastSquares(rows: rows, targets: [rows.map { $0[0] }]) == nil)
        #expect(LeastSquares(rows: [[1, 0, 0]], targets: [[1]]) == nil)
        #expect(LeastSquares(rows: [], targets: []) == nil)
    }

    // MARK: The choice of patches

    @Test("the fit without faults is the identity")
    func identity() throws {
        let patches = Chart.colorChecker.patches.map { patch in
            let light = LinearRGB(patch.lab)
            return ChartFit.Measurement(patch: patch, measured: PatchMeasurement(linear: light), light: light)
        }
        let fit = try ChartFit(chart: "Test", patches)
        #expect(fit.transform.model == .matrix)
        #expect(fit.after.maximum < 1e-6 && fit.leaveOneOut.maximum < 1e-6)
        for (row, values) in fit.transform.coefficients.enumerated() {
            for (column, value) in values.enumerated() { #expect(abs(value - (row == column ? 1 : 0)) < 1e-9) }
        }
    }

    @Test(
        "a patch that cannot be used is left out, with the reason, but not one at the limits",
        arguments: [
            (.init { $0.measured.linear.r = 0.99 }, "its red is at 99 % of full scale"),
            (.init { $0.measured.linear.r = 0.9899 }, nil),
            (.init { $0.patch.lab.lightness = 98.1 }, "its lightness is not in 5 to 98"),
            (.init { $0.patch.lab.lightness = 98 }, nil),
            (.init { $0.patch.lab.lightness = 4.9 }, "its lightness is not in 5 to 98"),
            (.init { $0.patch.lab.lightness = 5 }, nil),
            (.init { $0.measured.uneven = true }, "it is uneven: it has an edge, a shadow or a reflection"),
            (.init { $0.measured.clippedHigh.b = 0.002 }, "0.2 % of its pixels are at the top of blue"),
            (.init { $0.measured.clippedHigh.b = 0.001 }, nil),
            (.init { $0.measured.clippedLow.g = 0.03 }, "3 % of its pixels are at the bottom of green"),
            (.init { $0.measured.readings = 15 }, "it has 15 readings, and 16 are needed"),
        ] as [(Change<ChartFit.Measurement>, String?)])
    func reason(fault: Change<ChartFit.Measurement>, reason: String?) throws {
        var patches = ChartFitTests.patches()
        fault.apply(&patches[3])
        #expect(patches[3].reason == reason)
        guard reason != nil else { return }
        let fit = try ChartFit(chart: "Test", patches)
        #expect(fit.patches[3].reason == reason)
        #expect(fit.patches[3].deltaELeftOut == nil)
        #expect(fit.patches.filter { $0.reason != nil }.count == 1)
        #expect(fit.patches.filter { $0.deltaELeftOut != nil }.count == 23)
        // The patch that is left out has no effect on the fit.
        var others = ChartFitTests.patches()
        others.remove(at: 3)
        #expect(fit.transform == (try ChartFit(chart: "Test", others).transform))
    }

    @Test("fewer than eight usable patches are refused, with the reasons")
    func tooFew() {
        #expect(refusal(ChartFitTests.patches(count: 8)) == nil)
        var patches = ChartFitTests.patches(count: 8)
        patches[0].measured.uneven = true
        #expect(
            refusal(patches)
                == "7 of 8 patches can be used, and 8 are needed. magenta: it is uneven: it has an edge, a shadow or a "
                + "reflection.")
        #expect(refusal([]) == "0 of 0 patches can be used, and 8 are needed.")
    }

    @Test("a chart of greys gives a factor for each channel, and no matrix")
    func alike() throws {
        let patches = (1...12).map { step in
            let light = LinearRGB(all: 0.05 * Double(step))
            return ChartFit.Measurement(
                patch: .init(name: "\(step)", lab: CIELab(light)), measured: PatchMeasurement(linear: light),
                light: light)
        }
        let fit = try ChartFit(chart: "Test", patches)
        #expect(fit.transform.model == .gains)
        for (row, values) in fit.transform.coefficients.enumerated() {
            for (column, value) in values.enumerated() { #expect(abs(value - (row == column ? 1 : 0)) < 1e-9) }
        }
    }

    @Test("a root polynomial is chosen only if the error of patches that it has not seen falls by more than 10 %")
    func choice() throws {
        for step in 0...20 {
            let patches = ChartFitTests.patches(3, curvature: 0.005 * Double(step))
            let fit = try ChartFit(chart: "Test", patches)
            let usable = patches.filter { $0.reason == nil }
            func error(_ model: ColorTransform.Model) throws -> Double {
                let rows = usable.map { model.terms($0.light) }
                let errors = try usable.indices.map { index in
                    let others = usable.indices.filter { $0 != index }
                    let solution = try #require(
                        LeastSquares(
                            rows: others.map { rows[$0] },
                            targets: [\LinearRGB.r, \.g, \.b].map { channel in
                                others.map { LinearRGB(usable[$0].patch.lab)[keyPath: channel] }
                            }))
                    let transform = try #require(
                        ColorTransform(model: model, coefficients: solution.coefficients))
                    return CIEDE2000(usable[index].patch.lab, CIELab(transform(usable[index].light))).total
                }
                return errors.reduce(0, +) / Double(errors.count)
            }
            let isBetter = try error(.rootPolynomial) < 0.9 * error(.matrix)
            #expect(fit.transform.model == (isBetter ? .rootPolynomial : .matrix))
        }
    }

    @Test("the ColorChecker has 24 patches in order, with the published colours")
    func colorChecker() {
        let patches = Chart.colorChecker.patches
        #expect(patches.count == 24 && Set(patches.map(\.name)).count == 24)
        #expect(patches[0] == .init(name: "dark skin", lab: CIELab(lightness: 37.54, a: 14.37, b: 14.92)))
        #expect(patches[17] == .init(name: "cyan", lab: CIELab(lightness: 49.57, a: -29.71, b: -28.32)))
        #expect(patches[18] == .init(name: "white 9.5", lab: CIELab(lightness: 95.19, a: -1.03, b: 2.93)))
        #expect(patches[23] == .init(name: "black 2", lab: CIELab(lightness: 20.64, a: 0.07, b: -0.46)))
    }
}

private struct ChartReference: Decodable {
    private struct Input: Encodable {
        var model: ColorTransform.Model
        var light: [[Double]]
        var targets: [[Double]]
    }

    var coefficients: [[Double]]
    var predictions: [[Double]]

    static func references(
        for charts: [([ChartFit.Measurement], ColorTransform.Model)]
    ) throws -> [ChartReference] {
        let input = charts.map { patches, model in
            Input(
                model: model, light: patches.map(\.light.values),
                targets: patches.map { LinearRGB($0.patch.lab).values })
        }
        let process = Process()
        let (source, output) = (Pipe(), Pipe())
        process.executableURL = Python.executable
        process.arguments = [
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "calibration_reference.py").path
        ]
        (process.standardInput, process.standardOutput) = (source, output)
        try process.run()
        try source.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(input))
        try source.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode([ChartReference].self, from: text)
    }
}
