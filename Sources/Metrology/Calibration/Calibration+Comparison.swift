import Color

extension Calibration {
    /// The mean differences by which a calibration may exceed the one before, because of noise: a factor and ΔE00
    /// (ours).
    private static let (tolerance, allowance) = (1.25, 0.5)

    /// Returns why this calibration is worse than the one in force, which would be lost; nil if it is not.
    /// - Parameter measurements: Those from which this one was made.
    package func objection(against earlier: Calibration, _ measurements: CalibrationMeasurements) -> String? {
        guard let old = earlier.chart else { return nil }
        guard let chart, let patches = measurements.chart?.patches, patches.count == chart.patches.count else {
            return "The calibration in force was made by a chart, and this one was not."
        }
        let differences = zip(patches, chart.patches).compactMap { patch, fitted -> Double? in
            guard fitted.reason == nil else { return nil }
            let light = earlier.calibrated(patch.measured.linear, in: patch.measured.area ?? .whole)
            return CIEDE2000(patch.reference, CIELab(light)).total
        }
        guard let before = differences.mean else { return nil }
        let now = chart.leaveOneOut.mean
        guard now <= Self.tolerance * before + Self.allowance else {
            return
                "The calibration in force is better for this chart: its colours differ by ΔE \(before.text(decimals: 1)) on "
                + "average, and by \(now.text(decimals: 1)) with this one."
        }
        let isReduced = chart.transform.model == .gains && old.transform.model != .gains
        guard !isReduced || before > Self.tolerance * now + Self.allowance else {
            return
                "The calibration in force is right for these greys, too, and for other colours, which this chart lacks."
        }
        return nil
    }
}
