package import Color
package import Handoff
package import Metrology

/// The readings since the last disturbance, at which something other than the scene may have changed the colour.
///
/// It takes no more memory after a day of 60 readings a second than after a minute.
package struct ReadingSeries: Sendable {
    private(set) var newest = NewestReadings()
    private var minute = BinnedSeries(.span(seconds: NewestReadings.span))
    private var whole = BinnedSeries(.joining)

    package init() {}

    /// Adds a reading of a new frame. A repeated reading is not an observation.
    package mutating func add(_ mean: RGB, at time: MonotonicTime) {
        let (color, seconds) = newest.add(mean, at: time)
        minute.add(color, at: seconds)
        whole.add(color, at: seconds)
    }

    /// The statistics so far.
    package var stability: Reading.Stability {
        var stability = newest.stability
        stability.drift = minute.drift
        stability.totalDrift = whole.drift
        return stability
    }

    /// Returns the verdicts on the present colour.
    package func judgement(against targets: [ColorTarget], _ quality: Quality) -> Reading.Judgement {
        newest.judgement(against: targets, quality)
    }
}

/// The last 8 to 32 readings within a minute.
package struct NewestReadings: Equatable, Sendable {
    private struct Observation: Equatable, Sendable {
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
    static let span = 60.0
    /// A pause of more than so many average intervals is not bridged: nothing is known of the colour in it.
    private static let maxIntervals = 8.0

    private var start: MonotonicTime?
    private var newest: [Observation] = []

    package init() {}

    /// Adds a reading of a new frame.
    /// - Returns: Its colour and its time, in seconds since the first.
    @discardableResult
    package mutating func add(_ mean: RGB, at time: MonotonicTime) -> (color: CIELab, seconds: Double) {
        let start = start ?? time
        self.start = start
        let seconds = time - start
        let color = CIELab(mean)
        if isLongPause(until: seconds) { newest = [] }
        newest.append(Observation(mean: mean, color: color, time: seconds))
        newest.removeFirst(max(0, newest.count - Self.maxCount))
        newest.removeAll { $0.time < seconds - Self.span }
        return (color, seconds)
    }

    private func isLongPause(until seconds: Double) -> Bool {
        guard newest.count > 1, let first = newest.first, let last = newest.last else { return false }
        return seconds - last.time > Self.maxIntervals * (last.time - first.time) / Double(newest.count - 1)
    }

    /// The statistics so far, without the drift.
    package var stability: Reading.Stability {
        var stability = Reading.Stability()
        guard newest.count >= Self.minCount else { return stability }
        let lines = Lines(through: newest.map(\.color).coordinates, at: newest.map(\.time))
        stability.noise = noise(of: lines)
        let (change, seconds) = (lines.change, lines.seconds)
        stability.steadiness = Reading.Steadiness(
            spread: spread, trend: change, trendPerMinute: seconds > 0 ? 60 * change / seconds : 0,
            scatter: lines.scatter)
        return stability
    }

    /// Returns the verdicts on the present colour.
    package func judgement(against targets: [ColorTarget], _ quality: Quality) -> Reading.Judgement {
        guard !targets.isEmpty else { return Reading.Judgement() }
        let present = newest[presentStart...]
        return Reading.Judgement(
            of: present.map(\.color), at: present.map(\.time), against: targets, quality)
    }

    /// The colour that the newest readings show, and by how much it changes over them; nil without a reading.
    var present: (color: MeasuredColor, change: Double)? {
        let present = newest[presentStart...]
        let colors = present.map(\.color)
        guard let color = MeasuredColor(colors) else { return nil }
        return (color, Self.change(of: colors, at: present.map(\.time)))
    }

    /// The same colour alone, which takes much less time: a scale asks every probe.
    var presentColor: MeasuredColor? { MeasuredColor(newest[presentStart...].map(\.color)) }

    /// Returns by how much colours change; 0 for too few.
    fileprivate static func change(of colors: [CIELab], at times: [Double]) -> Double {
        guard colors.count >= MeasuredColor.minCount else { return 0 }
        return max(Lines(through: colors.coordinates, at: times).change, step(in: colors))
    }

    /// The ΔE00 that a colour has to exceed to be that of another thing, however quiet the readings are (ours).
    private static let minStep = 1.0
    /// How many times it has to exceed their scatter (ours).
    private static let stepRatio = 5.0

    /// The index of the first reading that shows the same thing as the last 8: readings count back to the first that
    /// differs from their mean. Without that, a new part would be judged by the mean of itself and the one before.
    private var presentStart: Int {
        let (last, mean) = newestColors
        let squares = last.reduce(0) { sum, color in
            let difference = CIEDE2000(mean, color).total
            return sum + difference * difference
        }
        let scatter = (squares / Double(max(1, last.count - 1))).squareRoot()
        let limit = max(Self.minStep, Self.stepRatio * scatter)
        return newest.dropLast(last.count).lastIndex { CIEDE2000(mean, $0.color).total > limit }.map { $0 + 1 } ?? 0
    }

    /// Returns the greatest difference between the readings before and after any moment; 0 if it may be noise.
    private static func step(in colors: [CIELab]) -> Double {
        let points = colors.coordinates
        /// Returns the mean and the sum of the squares about it.
        func moments(_ points: some Collection<SIMD3<Double>>) -> (mean: SIMD3<Double>, squares: Double) {
            let mean = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
            return (mean, points.reduce(0) { $0 + ($1 - mean).dot($1 - mean) })
        }
        return points.indices.dropFirst().reduce(0) { greatest, index in
            let (before, after) = (moments(points[..<index]), moments(points[index...]))
            let scatter = ((before.squares + after.squares) / Double(points.count - 2)).squareRoot()
            let step = (before.mean - after.mean).length
            return step > max(minStep, stepRatio * scatter) ? max(greatest, step) : greatest
        }
    }

    private func noise(of lines: Lines) -> Reading.Noise {
        let means = newest.map(\.mean)
        return Reading.Noise(
            channels: .init(
                r: lines.deviation(of: means.map(\.r)), g: lines.deviation(of: means.map(\.g)),
                b: lines.deviation(of: means.map(\.b))),
            deltaE: lines.deviation)
    }

    /// The greatest difference of one of the last readings from their mean.
    private var spread: Double {
        let (last, mean) = newestColors
        return last.reduce(0) { max($0, CIEDE2000(mean, $1).total) }
    }

    /// The last 8 colours, and their mean.
    private var newestColors: (colors: [CIELab], mean: CIELab) {
        let last = newest.suffix(Self.minCount).map(\.color)
        return (last, last.mean)
    }
}

extension Reading.Judgement {
    /// Judges the colour that successive readings show, unless it changes or the quality is poor.
    /// - Parameter times: The time of each reading, in seconds.
    init(of colors: [CIELab], at times: [Double], against targets: [ColorTarget], _ quality: Quality) {
        let change = NewestReadings.change(of: colors, at: times)
        self.init(of: colors, against: targets) {
            quality.refusal(change: change, tolerance: $0.tolerance.deltaE)
        }
    }
}

/// The straight lines through the coordinates of a series of colours, by least squares, and what remains of the colours
/// about them. Distances are in ΔE00.
private struct Lines {
    /// Nil if all times are the same, in which case the lines are flat.
    private let polynomials: OrthogonalPolynomials?
    /// The coefficients of the slopes.
    private var slopes: [Double] = []
    /// What remains of each coordinate.
    private var rests: [[Double]] = []
    private let count: Double
    /// The time from the first colour to the last, in seconds.
    let seconds: Double

    init(through points: [SIMD3<Double>], at times: [Double]) {
        polynomials = OrthogonalPolynomials(at: times, degree: 1)
        count = Double(points.count)
        seconds = (times.last ?? 0) - (times.first ?? 0)
        for series in points.series {
            let (slope, rest) = line(through: series)
            slopes.append(slope)
            rests.append(rest)
        }
    }

    private func line(through series: [Double]) -> (slope: Double, rest: [Double]) {
        guard let polynomials else {
            let mean = series.reduce(0, +) / count
            return (0, series.map { $0 - mean })
        }
        let (level, slope) = (polynomials.coefficient(0, of: series), polynomials.coefficient(1, of: series))
        let rest = series.indices.map {
            series[$0] - level * polynomials.values[0][$0] - slope * polynomials.values[1][$0]
        }
        return (slope, rest)
    }

    private var squares: Double { rests.reduce(0) { $0 + OrthogonalPolynomials.product($1, $1) } }

    /// The standard deviation of the colours about the lines, √(Σ ΔE² / (n - 2)) (JCGM 100:2008, H.3.2, equation
    /// H.13f, which divides by n - 2 because the line has two parameters).
    ///
    /// About the mean instead of the lines, a colour that drifts would be noisy, however quiet it is.
    var deviation: Double { (squares / (count - 2)).squareRoot() }

    /// Returns the same of a channel.
    func deviation(of series: [Double]) -> Double {
        let rest = line(through: series).rest
        return (OrthogonalPolynomials.product(rest, rest) / (count - 2)).squareRoot()
    }

    /// The noise from one colour to the next, √(Σ ΔE² / 2(n - 1)), where ΔE is the difference of successive colours
    /// about the lines (J. von Neumann, R. H. Kent, H. R. Bellinson, B. I. Hart, "The Mean Square Successive
    /// Difference", Annals of Mathematical Statistics 12, 1941).
    ///
    /// It equals ``deviation`` if the colours are independent, and is far less if they change slowly or in a step.
    var scatter: Double {
        let squares = rests.reduce(0) { sum, rest in
            zip(rest, rest.dropFirst()).reduce(sum) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        return (squares / (2 * (count - 1))).squareRoot()
    }

    /// The change along the lines; 0 if it is within 2 standard errors.
    ///
    /// The length of the vector of slopes is compared with the length of the vector of their standard errors. Noise
    /// alone exceeds twice the latter in at most 5 of 100 cases, whatever its direction (G. J. Székely, N. K. Bakirov,
    /// "Extremal probabilities for Gaussian quadratic forms", Probability Theory and Related Fields 126, 2003). The
    /// errors come from all residuals, not from slow polynomials as in `SeriesEstimate`: these would mistake the curve
    /// of a colour that approaches its final value for noise.
    var change: Double {
        guard let polynomials, let last = polynomials.values[1].last, let first = polynomials.values[1].first else {
            return 0
        }
        let (change, residuals) = (OrthogonalPolynomials.product(slopes, slopes), squares)
        let products = rests.reduce(0) { sum, rest in zip(rest, rest.dropFirst()).reduce(sum) { $0 + $1.0 * $1.1 } }
        let autocorrelation = residuals > 0 ? (count * products / residuals + 2) / (count - 5) : 0
        let believed = min(max(autocorrelation, 0), 0.9)
        let variance = residuals / (count - 2) * (1 + believed) / (1 - believed)
        guard change > 4 * variance else { return 0 }
        return change.squareRoot() * (last - first)
    }
}
