/// Whether a chart was measured the wrong way round.
enum ChartOrientation {
    /// The mean difference, with each patch left out of the fit, up to which a chart counts as the right way round
    /// (ours).
    private static let minDifference = 3.0

    /// Returns what to do if the patches fit clearly better in another order; nil if they do not.
    /// - Parameter given: The mean difference in their order.
    static func advice(_ measurements: [ChartFit.Measurement], instead given: Double) -> String? {
        guard given > minDifference, let columns = columns(of: measurements) else { return nil }
        let (count, rows) = (measurements.count, measurements.count / columns)
        let orders: [(words: String, index: (Int) -> Int)] = [
            ("turned by half: begin with the opposite corner", { count - 1 - $0 }),
            (
                "mirrored: begin with the other corner of its first row, and go round in the other direction",
                { $0 / columns * columns + columns - 1 - $0 % columns }
            ),
            (
                "upside down and mirrored: begin with the other corner of its first column, and go round in the other "
                    + "direction", { (rows - 1 - $0 / columns) * columns + $0 % columns }
            ),
        ]
        let fits = orders.compactMap { order -> (words: String, mean: Double)? in
            let patches = measurements.indices.map { index in
                var patch = measurements[index]
                patch.patch = measurements[order.index(index)].patch
                return patch
            }.filter { $0.reason == nil }
            guard patches.count >= ChartFit.minPatches, let fit = ChartCandidate(bestOf: patches) else { return nil }
            return (order.words, fit.leaveOneOut.mean)
        }
        guard let best = fits.min(by: { $0.mean < $1.mean }), best.mean < given / 2 else { return nil }
        return "The chart fits \(best.words). Then its colours differ by ΔE \(best.mean.text(decimals: 1)) on average, "
            + "and as it was measured by \(given.text(decimals: 1))."
    }

    /// Returns the number of patches in a row; nil if they were not measured row by row.
    private static func columns(of measurements: [ChartFit.Measurement]) -> Int? {
        let places = measurements.compactMap { $0.measured.area?.center }
        guard places.count == measurements.count, places.count > 1 else { return nil }
        let step = (x: places[1].x - places[0].x, y: places[1].y - places[0].y)
        let length = step.x * step.x + step.y * step.y
        guard length > 0 else { return nil }
        // The second row begins where the patches turn back.
        let end = places.indices.dropFirst().first { index in
            let next = (x: places[index].x - places[index - 1].x, y: places[index].y - places[index - 1].y)
            return next.x * step.x + next.y * step.y < 0.5 * length
        }
        guard let columns = end, columns > 1, places.count % columns == 0 else { return nil }
        return columns
    }
}
