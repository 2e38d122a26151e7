package import Color
package import Handoff

/// The readings since the last disturbance, at which something other than the scene may have changed the colour.
///
/// It takes no more memory after a day of 60 readings a second than after a minute.
package struct ReadingSeries: Sendable {
    private struct Observation: Sendable {
        var mean: RGB
        var color: CIELab
        /// The seconds since the first observation.
        var time: Double
    }

    /// The maximum number of readings in the statistics.
    private static let maxCount = 32
    /// The number of readings that must be near each other to count as settled.
    private static let minCount = SeriesEstimate.minCount
    /// The greatest age of a reading in the statistics, in seconds: repeatability applies to a short period (VIM 2.20).
    private static let span = 60.0

    private var start: MonotonicTime?
    private var newest: [Observation] = []
    private var minute = BinnedSeries(.span(seconds: span))
    private var whole = BinnedSeries(.joining)

    package init() {}

    /// Adds a reading of a new frame. A repeated reading is not an observation.
    package mutating func add(_ mean: RGB, at time: MonotonicTime) {
        let start = start ?? time
        self.start = start
        let seconds = time - start
        let color = CIELab(mean)
        newest.append(Observation(mean: mean, color: color, time: seconds))
        newest.removeFirst(max(0, newest.count - Self.maxCount))
        newest.removeAll { $0.time < seconds - Self.span }
        minute.add(color, at: seconds)
        whole.add(color, at: seconds)
    }

    /// The statistics so far.
    package var stability: Reading.Stability {
        var stability = Reading.Stability()
        stability.drift = minute.drift
        stability.totalDrift = whole.drift
        guard newest.count >= Self.minCount else { return stability }
        stability.noise = noise
        stability.steadiness = Reading.Steadiness(spread: spread, trend: trend)
        return stability
    }

    private var noise: Reading.Noise {
        let mean = newest.map(\.color).mean
        let squares = newest.reduce(0) { sum, observation in
            let difference = CIEDE2000(mean, observation.color).total
            return sum + difference * difference
        }
        return Reading.Noise(
            channels: .init(
                r: Self.deviation(newest.map(\.mean.r)), g: Self.deviation(newest.map(\.mean.g)),
                b: Self.deviation(newest.map(\.mean.b))),
            deltaE: (squares / Double(newest.count - 1)).squareRoot())
    }

    /// The greatest difference of one of the last readings from their mean.
    private var spread: Double {
        let last = newest.suffix(Self.minCount).map(\.color)
        let mean = last.mean
        return last.reduce(0) { max($0, CIEDE2000(mean, $1).total) }
    }

    /// The change along the straight line through all readings; 0 if it is within 2 standard errors.
    ///
    /// The length of the vector of slopes is compared with the length of the vector of their standard errors. Noise
    /// alone exceeds twice the latter in at most 5 of 100 cases, whatever its direction (G. J. Székely, N. K. Bakirov,
    /// "Extremal probabilities for Gaussian quadratic forms", Probability Theory and Related Fields 126, 2003). The
    /// errors come from all residuals, not from slow polynomials as in `SeriesEstimate`: these would mistake the curve
    /// of a colour that approaches its final value for noise.
    private var trend: Double {
        let times = newest.map(\.time)
        guard let polynomials = OrthogonalPolynomials(at: times, degree: 1) else { return 0 }
        let points = newest.map(\.color).coordinates
        let count = Double(points.count)
        var (change, residuals, products) = (0.0, 0.0, 0.0)
        for series in [points.map(\.0), points.map(\.1), points.map(\.2)] {
            let (level, slope) = (polynomials.coefficient(0, of: series), polynomials.coefficient(1, of: series))
            change += slope * slope
            let rest = series.indices.map {
                series[$0] - level * polynomials.values[0][$0] - slope * polynomials.values[1][$0]
            }
            residuals += OrthogonalPolynomials.product(rest, rest)
            products += zip(rest, rest.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let autocorrelation = residuals > 0 ? (count * products / residuals + 2) / (count - 5) : 0
        let believed = min(max(autocorrelation, 0), 0.9)
        let variance = residuals / (count - 2) * (1 + believed) / (1 - believed)
        guard change > 4 * variance else { return 0 }
        return change.squareRoot() * (polynomials.values[1][points.count - 1] - polynomials.values[1][0])
    }

    private static func deviation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot()
    }
}
