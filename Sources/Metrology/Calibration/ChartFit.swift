package import Color
import Glibc

/// A transform fitted to a colour chart, with what remains of the differences.
///
/// The fit is by least squares in linear light, without an offset, all patches weighing the same. Greys determine a
/// factor for each channel, and no matrix. Patches that do not fit the rest are left out.
package struct ChartFit: Codable, Equatable, Sendable {
    /// The minimum number of patches that can be used.
    package static let minPatches = 8
    /// The lightness that the reference of a usable patch has.
    static let lightness = 5.0...98.0
    /// The light from which a channel is too close to full scale.
    static let maxLight = 0.99
    /// The share of the error of a matrix that a root polynomial must not exceed.
    static let worthwhileShare = 0.9
    /// The condition of the patches' terms up to which they determine a model with this many terms (ours). A
    /// ColorChecker has 5 to 20 for a matrix and up to 200 for a root polynomial, greys hundreds and thousands for
    /// either.
    static func maxCondition(_ terms: Int) -> Double { terms > 3 ? 300 : 150 }
    /// The chroma up to which a patch is grey (ours).
    static let maxGreyChroma = 5.0
    /// The share of the patches that may be left out because they do not fit the rest (ours).
    private static let maxMisfits = 1.0 / 6
    /// The differences, with the patch left out of the fit, from which it does not fit the rest: in ΔE00, and as a
    /// multiple of their median (ours).
    private static let (minMisfit, misfitFactor) = (6.0, 4.0)
    /// The mean difference, with each patch left out of the fit, that no camera exceeds with its own chart (ours).
    private static let maxDifference = 8.0
    /// The mean difference by which a calibration may be worse than none, because of noise (ours).
    private static let worthwhileGain = 0.5

    /// The mean and the greatest of several differences by CIEDE2000.
    package struct Differences: Codable, Equatable, Sendable {
        package var mean: Double
        package var maximum: Double

        init(_ differences: [Double]) {
            mean = differences.mean ?? 0
            maximum = differences.max() ?? 0
        }
    }

    package struct Patch: Codable, Equatable, Sendable {
        package var name: String
        package var reference: CIELab
        /// The colour as the camera delivers it.
        package var before: CIELab
        /// The colour by the transform.
        package var after: CIELab
        package var deltaEBefore: Double
        package var deltaEAfter: Double
        /// The difference by a transform that is fitted without this patch; nil if the patch is not used.
        package var deltaELeftOut: Double?
        /// The end of a sentence that says why the patch is not used; nil if it is.
        package var reason: String?
    }

    /// A patch as it was measured.
    package struct Measurement: Equatable, Sendable {
        package var patch: Chart.Patch
        package var measured: PatchMeasurement
        /// The light after the dark, the shading and the card.
        package var light: LinearRGB

        /// The end of a sentence that says why the patch is not used; nil if it is.
        var reason: String? {
            if let defect = measured.defect { return defect }
            guard ChartFit.lightness ~= patch.lab.lightness else {
                return "its lightness is not in 5 to 98"
            }
            let (name, light) = measured.linear.greatest
            return light >= ChartFit.maxLight ? "its \(name) is at \(light.percent) of full scale" : nil
        }
    }

    /// The name of the chart.
    package private(set) var chart: String
    package let transform: ColorTransform
    package private(set) var patches: [Patch]
    /// The differences of the used patches as the camera delivers them.
    package let before: Differences
    package let after: Differences
    /// The differences of each used patch by a transform that is fitted to all others: what to expect of other colours.
    package let leaveOneOut: Differences
    /// The share by which the light varies over the chart, if it certainly does; nil otherwise.
    package let unevenLight: Double?

    /// Fits the transform that the patches determine.
    /// - Throws: A `MeasurementRefusal` if too few patches can be used, they fit another order better, or the fit is
    ///   worse than that of any plausible camera, or than no calibration.
    package init(chart: String, _ measurements: [Measurement]) throws(MeasurementRefusal) {
        var reasons = measurements.map(\.reason)
        var used = zip(measurements, reasons).filter { $1 == nil }.map(\.0)
        guard used.count >= Self.minPatches else {
            let list = zip(measurements, reasons).compactMap { one, reason in reason.map { "\(one.patch.name): \($0)" }
            }
            throw MeasurementRefusal(
                "\(used.count) of \(measurements.count) patches can be used, and \(Self.minPatches) are needed."
                    + list.prefix(8).map { " \($0)." }.joined())
        }
        guard var best = ChartCandidate(bestOf: used) else {
            throw MeasurementRefusal(
                "The patches are too much alike: a chart needs reds, greens and blues, or only greys.")
        }
        if let words = ChartOrientation.advice(measurements, instead: best.leaveOneOut.mean) {
            throw MeasurementRefusal(words)
        }
        let most = Int(Double(used.count) * Self.maxMisfits)
        for _ in 0..<most where used.count > Self.minPatches {
            guard let misfit = best.misfit(from: Self.minMisfit, factor: Self.misfitFactor) else { break }
            let (fewer, name) = (
                used.enumerated().filter { $0.offset != misfit }.map(\.element), used[misfit].patch.name
            )
            guard let better = ChartCandidate(bestOf: fewer) else { break }
            for index in measurements.indices where measurements[index] == used[misfit] {
                reasons[index] =
                    "it does not fit the rest, by ΔE \(best.deltaELeftOut[misfit].text(decimals: 1)): is it \(name)?"
            }
            (used, best) = (fewer, better)
        }
        guard best.leaveOneOut.mean <= Self.maxDifference else {
            throw MeasurementRefusal(
                "The patches do not fit the chart: after the best fit, they differ by ΔE "
                    + "\(best.leaveOneOut.mean.text(decimals: 1)) on average. Check that it is this chart, and that each "
                    + "patch was measured where it is.")
        }
        var leftOut = best.deltaELeftOut[...]
        self.chart = chart
        transform = best.transform
        patches = zip(measurements, reasons).map { one, reason in
            let before = CIELab(one.measured.linear)
            let after = CIELab(best.transform(one.light))
            return Patch(
                name: one.patch.name, reference: one.patch.lab, before: before, after: after,
                deltaEBefore: CIEDE2000(one.patch.lab, before).total,
                deltaEAfter: CIEDE2000(one.patch.lab, after).total,
                deltaELeftOut: reason == nil ? leftOut.popFirst() : nil, reason: reason)
        }
        let counted = patches.filter { $0.reason == nil }
        before = Differences(counted.map(\.deltaEBefore))
        after = Differences(counted.map(\.deltaEAfter))
        leaveOneOut = best.leaveOneOut
        guard leaveOneOut.mean <= before.mean + Self.worthwhileGain else {
            throw MeasurementRefusal(
                "The camera is right without this chart: its colours differ by ΔE \(before.mean.text(decimals: 1)) on "
                    + "average, and by \(leaveOneOut.mean.text(decimals: 1)) with it.")
        }
        unevenLight = LightField(used)?.certainVariation
    }
}

extension ChartFit {
    func mapTexts(_ change: (String) -> String) -> ChartFit {
        var fit = self
        fit.chart = change(chart)
        for index in fit.patches.indices {
            fit.patches[index].name = change(fit.patches[index].name)
            fit.patches[index].reason = fit.patches[index].reason.map(change)
        }
        return fit
    }
}

/// How the light varies over the chart, if no shading was measured.
///
/// A plane and a bowl of light over the picture, and a matrix, are fitted to the patches in turn (G. D. Finlayson, M.
/// Mohammadzadeh Darrodi, M. Mackiewicz, "The alternating least squares technique for nonuniform intensity color
/// correction", Color Research and Application 40, 2015). The light is certainly uneven if they explain more than
/// chance does, by the F test.
private struct LightField {
    /// The variation of the light over the patches below which it does not matter (ours).
    private static let minVariation = 0.05
    private static let rounds = 30

    /// The share by which the light varies, if it certainly does; nil otherwise.
    let certainVariation: Double?

    /// - Returns: Nil if it is not known where the patches are, or if they were measured in one place.
    init?(_ patches: [ChartFit.Measurement]) {
        let places = patches.compactMap { $0.measured.area?.center }
        guard places.count == patches.count, patches.count > ChartFit.minPatches else { return nil }
        let rows = places.map { x, y in [1, x - 0.5, y - 0.5, (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)] }
        var shades = [Double](repeating: 1, count: patches.count)
        var residues: [Double] = []
        for _ in 0...Self.rounds {
            let lit = zip(patches, shades).map { patch, shade in
                var patch = patch
                patch.light = patch.light / shade
                return patch
            }
            guard let matrix = ChartCandidate(.matrix, lit)?.transform else { return nil }
            let pairs = lit.map { (LinearRGB($0.patch.lab), matrix($0.light)) }
            residues.append(pairs.flatMap { ($0 - $1).values }.reduce(0) { $0 + $1 * $1 })
            let ratios = zip(shades, pairs).map { shade, pair in
                log(shade * max(pair.1.luminance, 1e-4) / max(pair.0.luminance, 1e-4))
            }
            guard let field = LeastSquares(rows: rows, targets: [ratios])?.coefficients.first else { return nil }
            shades = rows.map { row in exp(zip(row, field).reduce(0) { $0 + $1.0 * $1.1 }) }
        }
        let (even, uneven) = (residues.first ?? 0, residues.last ?? 0)
        let freedom = Double(patches.count - 4)
        // The 99.9th percentile of F with 3 and 20 degrees of freedom is 8.1, with 5 it is 33.
        let isCertain = (even - uneven) / 3 > (8.1 + 620 / (freedom * freedom)) * uneven / freedom
        let variation = 1 - (shades.min() ?? 1) / (shades.max() ?? 1)
        certainVariation = isCertain && variation > Self.minVariation ? variation : nil
    }
}
