import Color

/// A straight line from known concentrations to absorbances, from which the concentration of other samples follows.
package struct StandardCurve: Equatable, Sendable {
    /// A sample of known concentration.
    package struct Standard: Equatable, Sendable {
        package var concentration: Double
        package var absorbance: Absorbance

        package init(concentration: Double, absorbance: Absorbance) {
            (self.concentration, self.absorbance) = (concentration, absorbance)
        }
    }

    package enum Channel: String, Codable, Equatable, Sendable, CaseIterable {
        case red, green, blue

        package func figure(of absorbance: Absorbance) -> Absorbance.Figure? {
            switch self {
            case .red: absorbance.channels.r
            case .green: absorbance.channels.g
            case .blue: absorbance.channels.b
            }
        }
    }

    /// A concentration and the interval that holds the true one with a confidence of 95 %.
    package struct Concentration: Equatable, Sendable {
        package let value: Double
        /// The ends of the interval. Beyond the standards, it also allows for every bend that they do not exclude. It
        /// is nil there if they are too few or certainly bend.
        package let interval: ClosedRange<Double>?
        /// Whether the concentration is below the limit of detection.
        package let isBelowDetection: Bool
        /// Whether the concentration is beyond the standards, where the line may not continue.
        package let isExtrapolated: Bool
    }

    /// The smallest concentration that can be told from the blank.
    package struct DetectionLimit: Equatable, Sendable {
        /// The absorbance: the mean of the blanks + 3.3 s.
        package let absorbance: Double
        /// 3.3 s / slope (ICH Q2(R2), 3.2.3).
        package let concentration: Double
        /// The standard deviation s of the blank. It is at least the standard error of its measurement.
        package let deviation: Double
        /// Whether s is the scatter of repeated blanks; if not, it is that of the standards about the line.
        package let isFromBlanks: Bool
    }

    /// The size of a bend beyond which a parabola does not describe how the curve continues (ours).
    private static let maxBend = 0.015
    /// The number of blanks from which their scatter is better known than that about the line.
    private static let minBlanks = 6

    /// The channel with the best signal.
    package let channel: Channel
    package let line: StraightLine
    /// Whether the standards lie on a straight line; nil if there are too few to tell: 4 or more are needed.
    package let linearity: Linearity?
    /// Nil if the standards do not scatter, so that nothing is known of the blank's scatter.
    package let detectionLimit: DetectionLimit?
    /// The concentration of each standard that has an absorbance in this channel, in the order of ``line``'s residuals.
    package let concentrations: [Double]

    private let weighting: Weighting
    private let bend: Bend?

    /// - Parameter channel: The channel to use; by default that with the best signal: its rise from the blank to the
    ///   strongest standard, in standard errors of a measurement.
    package init(_ standards: [Standard], channel: Channel? = nil) throws(MeasurementRefusal) {
        guard standards.allSatisfy({ $0.concentration >= 0 && $0.concentration.isFinite }) else {
            throw MeasurementRefusal("A concentration is 0 or more.")
        }
        let levels = Set(standards.map(\.concentration))
        guard levels.contains(0) else { throw MeasurementRefusal("One of the standards has to be a blank, of 0.") }
        guard levels.count >= 3 else {
            throw MeasurementRefusal("There are \(levels.count) of the 3 levels that a standard curve needs.")
        }
        let curves = (channel.map { [$0] } ?? Channel.allCases).compactMap { Points(standards, $0) }
        guard let best = curves.max(by: { $0.signal < $1.signal }) else {
            throw MeasurementRefusal("No channel has an absorbance at 3 levels, the blank among them.")
        }
        guard best.line.slope != 0 else {
            throw MeasurementRefusal("The absorbance does not depend on the concentration.")
        }
        self.channel = best.channel
        line = best.line
        linearity = Linearity(x: best.x, y: best.y, weights: best.weights, errors: best.errors)
        bend = Bend(best.x, best.y, best.weights)
        concentrations = best.x
        weighting = best.weighting
        detectionLimit = best.detectionLimit(minBlanks: Self.minBlanks)
    }

    /// The sentence that a bent curve gets; nil for a straight one.
    package var warning: String? {
        guard let linearity, linearity.isBent else { return nil }
        let flattens = linearity.curvature * line.slope < 0
        return "The curve bends: it \(flattens ? "flattens" : "becomes steeper") towards high concentrations."
            + " Use the lower standards only, or dilute the samples."
    }

    /// A sentence that says why the curve gives no concentration; nil if it does.
    package var obstacle: String? {
        line.inverse(of: line.intercept, weight: 1) == nil
            ? "The slope cannot be told from 0, so no concentration follows: measure more standards." : nil
    }

    /// Determines the concentration of a sample.
    package func concentration(of absorbance: Absorbance) throws(MeasurementRefusal) -> Concentration {
        guard let figure = channel.figure(of: absorbance) else {
            throw MeasurementRefusal(
                absorbance.refusals.first ?? "The sample has no absorbance in \(channel.rawValue).")
        }
        guard let result = line.inverse(of: figure.value, weight: weighting.weight(of: figure.standardError)) else {
            throw MeasurementRefusal(obstacle ?? "No concentration follows from this absorbance.")
        }
        let isExtrapolated = result.x > concentrations.max() ?? 0
        var interval: ClosedRange<Double>? = result.low...result.high
        if isExtrapolated {
            let weight = weighting.weight(of: figure.standardError)
            let isMuchBent = linearity.map { $0.isBent && $0.size > Self.maxBend } ?? false
            interval =
                isMuchBent
                ? nil : bend?.interval(at: figure.value, weight: weight, around: result.low...result.high)
        }
        return Concentration(
            value: result.x, interval: interval,
            isBelowDetection: detectionLimit.map { result.x < $0.concentration } ?? false,
            isExtrapolated: isExtrapolated)
    }

    /// The bends of the curve that the standards do not exclude: the second-degree terms within their interval of 99 %.
    private struct Bend: Equatable, Sendable {
        /// The least and the greatest term, each with the line that is left by it.
        private let cases: [(term: Double, line: StraightLine)]

        static func == (left: Self, right: Self) -> Bool { left.cases.elementsEqual(right.cases) { $0 == $1 } }

        /// - Returns: Nil if there are fewer than 4 standards, or they do not determine the term.
        init?(_ x: [Double], _ y: [Double], _ weights: [Double]) {
            guard x.count >= 4, let parabola = Parabola(x: x, y: y, weights: weights) else { return nil }
            let freedom = Double(x.count - 3)
            let error = (parabola.rest / freedom / parabola.bow).squareRoot()
            let half = StudentsT.quantile(0.995, degreesOfFreedom: freedom) * error
            guard half.isFinite else { return nil }
            let term = parabola.curvature
            cases = [term - half, term + half].compactMap { term in
                StraightLine(x: x, y: x.indices.map { y[$0] - term * x[$0] * x[$0] }, weights: weights)
                    .map { (term, $0) }
            }
        }

        /// Returns the interval of the concentrations at which the curve may have a value, which contains that of the
        /// line; nil if it has no end.
        func interval(at y: Double, weight: Double, around line: ClosedRange<Double>) -> ClosedRange<Double>? {
            var (low, high) = (line.lowerBound, line.upperBound)
            for (term, line) in cases {
                // c x² + b x + a = y; the root towards which a straight curve leads.
                let root = line.slope * line.slope + 4 * term * (y - line.intercept)
                guard root > 0 else { return nil }
                let x = 2 * (y - line.intercept) / (line.slope + (line.slope < 0 ? -1 : 1) * root.squareRoot())
                let slope = line.slope + 2 * term * x
                guard x.isFinite, slope * line.slope > 0 else { return nil }
                let half = line.halfWidth(at: x, slope: slope, weight: weight)
                (low, high) = (min(low, x - half), max(high, x + half))
            }
            return low...high
        }
    }

    /// How much an absorbance counts, by its standard error.
    ///
    /// The camera is not the only source of error: standards are prepared, and cuvettes are placed. That part has the
    /// same variance for all of them, with which the scatter about the line is what it should be (R. C. Paule, J.
    /// Mandel, "Consensus Values and Weighting Factors", Journal of Research of the NBS 87, 1982).
    private struct Weighting: Equatable, Sendable {
        /// The least standard error that is believed. A lucky standard must not determine the line alone.
        private let minError: Double
        private var otherVariance = 0.0

        /// The greatest ratio of the standard errors of the camera.
        private static let maxErrorRatio = 10.0

        init(errors: [Double], x: [Double], y: [Double]) {
            minError = (errors.max() ?? 0) / Self.maxErrorRatio
            /// Returns how much the standards scatter more than their errors explain.
            func excess(_ variance: Double) -> Double {
                var weighting = self
                weighting.otherVariance = variance
                let line = StraightLine(x: x, y: y, weights: errors.map(weighting.weight))
                return (line?.deviation ?? 0) - 1
            }
            guard minError > 0, excess(0) > 0 else { return }
            otherVariance = Root.find(from: 0) { -excess($0) }
        }

        /// Returns the reciprocal of the variance, or 1 if no standard has an error.
        func weight(of error: Double) -> Double {
            guard minError > 0 else { return 1 }
            let error = max(error, minError)
            return 1 / (error * error + otherVariance)
        }
    }

    /// The standards in one channel.
    private struct Points {
        let channel: Channel
        let x: [Double]
        let y: [Double]
        let weights: [Double]
        let errors: [Double]
        let line: StraightLine
        let weighting: Weighting
        let signal: Double

        /// - Returns: Nil if fewer than 3 levels, or no blank, have an absorbance.
        init?(_ standards: [Standard], _ channel: Channel) {
            let points = standards.compactMap { standard in
                channel.figure(of: standard.absorbance).map { (x: standard.concentration, figure: $0) }
            }
            let (x, y) = (points.map(\.x), points.map(\.figure.value))
            guard x.contains(0), Set(x).count >= 3, let greatest = x.max() else { return nil }
            let errors = points.map(\.figure.standardError)
            let weighting = Weighting(errors: errors, x: x, y: y)
            let weights = errors.map(weighting.weight)
            guard let line = StraightLine(x: x, y: y, weights: weights) else { return nil }
            (self.channel, self.x, self.y, self.weights, self.line) = (channel, x, y, weights, line)
            (self.weighting, self.errors) = (weighting, errors)
            let squares = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
            signal = abs(line.slope) * greatest / max(squares.squareRoot(), 1e-9)
        }

        func detectionLimit(minBlanks: Int) -> DetectionLimit? {
            let blanks = x.indices.filter { x[$0] == 0 }
            let mean = blanks.reduce(0) { $0 + y[$1] } / Double(blanks.count)
            let isFromBlanks = blanks.count >= minBlanks
            var deviation: Double
            if isFromBlanks {
                let squares = blanks.reduce(0) { $0 + (y[$1] - mean) * (y[$1] - mean) }
                deviation = (squares / Double(blanks.count - 1)).squareRoot()
            } else {
                // A blank of average weight.
                let weight = blanks.reduce(0) { $0 + weights[$1] } / Double(blanks.count)
                deviation = line.deviation / weight.squareRoot()
            }
            let squares = blanks.reduce(0) { $0 + errors[$1] * errors[$1] }
            deviation = max(deviation, (squares / Double(blanks.count)).squareRoot())
            // If the standards lie on a line except for rounding, their scatter is unknown.
            guard deviation > 1e-9 * (y.map(abs).max() ?? 0) else { return nil }
            return DetectionLimit(
                absorbance: mean + 3.3 * deviation, concentration: 3.3 * deviation / abs(line.slope),
                deviation: deviation, isFromBlanks: isFromBlanks)
        }
    }
}
