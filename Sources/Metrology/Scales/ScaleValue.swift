import Color
import Glibc

/// What readings say about a colour and a scale.
///
/// The value is that of the point of the scale that is nearest to the mean colour in CIELAB. Its interval has the values of
/// all points s that the readings do not rule out: with n the nearest point and w the unit vector from n to s, s is ruled
/// out if the mean is more than t standard errors away from s along w, where t is the quantile 97.5 % of Student's
/// distribution. On a long segment, these are the ends of v ± t σ. Where the scale turns back, they may lie on several
/// parts of it (ours; checked by simulation, see docs/scales.md).
package struct ScaleValue: Equatable, Sendable {
    /// Where the colour is.
    package enum Range: String, Equatable, Sendable, CaseIterable {
        case within
        /// Before the first colour of the scale.
        case below
        /// Behind its last colour.
        case above
        /// Beyond the tolerance.
        case off
    }

    /// The ΔE00 by which a colour has to differ from that of an end to be beyond it (ours): without noise, every colour that
    /// is not exactly that of the end would be.
    private static let endTolerance = 1.0

    /// The place of the colour; nil if there is no value, for the reason that ``reason`` gives.
    package let range: Range?
    /// Nil unless the colour is within the scale.
    package let value: Double?
    /// The interval that holds the true value with a confidence of 95 %; nil without a value.
    package let interval: ClosedRange<Double>?
    /// ΔE00 of the colour and the nearest point; the greatest of those of several pads.
    package let distance: Double
    /// A sentence that says why there is no value, or what limits it; nil if nothing does.
    package let reason: String?

    /// A value that was read before.
    package init(
        range: Range?, value: Double?, interval: ClosedRange<Double>?, distance: Double, reason: String?
    ) {
        (self.range, self.value, self.interval) = (range, value, interval)
        (self.distance, self.reason) = (distance, reason)
    }

    /// - Parameters:
    ///   - colors: The colours of the pads, of which there are as many as the scale has.
    ///   - refusal: A sentence that says why no value is possible, although there are enough readings.
    package init(of colors: [MeasuredColor], on scale: ColorScale, refusal: String? = nil) {
        let place = scale.nearest(to: PadVector(colors.map(\.mean.vector)))
        let nearest = scale.color(at: place)
        let distances = colors.enumerated().map { CIEDE2000(CIELab(nearest[$0]), $1.mean).total }
        distance = distances.max() ?? 0
        func refuse(_ range: Range?, _ reason: String) -> (Range?, Double?, ClosedRange<Double>?, String?) {
            (range, nil, nil, reason)
        }
        let count = colors.map(\.count).min() ?? 0
        guard count >= MeasuredColor.minCount, refusal == nil else {
            (range, value, interval, reason) = refuse(
                nil, refusal ?? "There are \(count) of the \(MeasuredColor.minCount) readings that a value needs."
            )
            return
        }
        let search = ScaleInterval(of: colors, on: scale, around: place)
        guard distances.indices.allSatisfy({ distances[$0] - search.distanceError(ofPad: $0) <= scale.tolerance })
        else {
            (range, value, interval, reason) = refuse(
                .off,
                "Not on this scale: the difference from its nearest colour is ΔE00 \(distance.text(decimals: 1)), and the "
                    + "tolerance is \(scale.tolerance.text(decimals: 1)).")
            return
        }
        if let end = search.end, distance > Self.endTolerance {
            let point = end == .below ? scale.points[0] : scale.points[scale.points.count - 1]
            (range, value, interval, reason) = refuse(
                end, "\(end == .below ? "Below" : "Above") \(point.value.scaleText): the scale ends there.")
            return
        }
        let value = scale.value(at: place)
        let parts = search.parts
        let low = min(parts.map(\.lowerBound).min() ?? value, value)
        let high = max(parts.map(\.upperBound).max() ?? value, value)
        (range, self.value, interval) = (.within, value, low...high)
        let covered = scale.points.map(\.value).filter { low...high ~= $0 }
        if parts.count > 1, let other = parts.first(where: { !($0 ~= value) }) {
            reason =
                "The scale has a similar colour in another place: the value may also be "
                + "\(other.lowerBound.scaleText) to \(other.upperBound.scaleText)."
        } else if covered.count > 1, let first = covered.first, let last = covered.last {
            reason = "The readings cannot tell \(first.scaleText) from \(last.scaleText)."
        } else {
            reason = nil
        }
    }
}

/// The search for the points of a scale that readings do not rule out.
private struct ScaleInterval {
    /// The number of points that are tried on each segment, between which the ends are then found by bisection.
    private static let steps = 24
    private static let bisections = 20

    private let scale: ColorScale
    private let mean: PadVector
    private let uncertainties: [Uncertainty]
    private let place: ScalePlace
    private let nearest: PadVector
    /// The number of standard errors.
    private let factor: Double
    /// Whether the colour lies beyond an end of the scale.
    let end: ScaleValue.Range?

    init(of colors: [MeasuredColor], on scale: ColorScale, around place: ScalePlace) {
        (self.scale, mean, uncertainties) = (scale, PadVector(colors.map(\.mean.vector)), colors.map(\.uncertainty))
        self.place = place
        nearest = scale.color(at: place)
        let span = scale.span(place.segment)
        let direction = span * (1 / span.length)
        // The degrees of freedom of a sum of variances (JCGM 100:2008, G.4.1).
        var (variance, divisor) = (0.0, 0.0)
        for source in [uncertainties] + scale.contributions(at: place) {
            for (pad, color) in source.enumerated() {
                let part = direction[pad].dot(color.covariance * direction[pad])
                variance += part
                divisor += part * part / color.degreesOfFreedom
            }
        }
        let freedom = divisor > 0 ? variance * variance / divisor : .infinity
        factor = StudentsT.quantile(1 - DecisionRule.risk, degreesOfFreedom: freedom)
        // Beyond an end by more than the noise, and the rounding of a number.
        let along = (mean - nearest).dot(direction)
        let limit = factor * variance.squareRoot() + 1e-9
        if place == ScalePlace(segment: 0, share: 0), -along > limit {
            end = .below
        } else if place == ScalePlace(segment: scale.segmentCount - 1, share: 1), along > limit {
            end = .above
        } else {
            end = nil
        }
    }

    /// Returns the half width of the interval of the distance of a pad from the nearest point, in ΔE00: the noise in the
    /// direction of the difference, because a colour that is off the scale is so in one direction.
    func distanceError(ofPad pad: Int) -> Double {
        let map = DifferenceSpace(between: CIELab(nearest[pad]), and: CIELab(mean[pad])).map
        let difference = map * (mean[pad] - nearest[pad])
        let length = difference.length
        guard length > 0 else { return 0 }
        let direction = difference / length
        let sources = ([uncertainties] + scale.contributions(at: place)).compactMap { $0.dropFirst(pad).first }
        return factor
            * sources.reduce(0) { $0 + direction.dot($1.covariance.transformed(by: map) * direction) }.squareRoot()
    }

    /// The ranges of values of the points that are not ruled out, by increasing value.
    var parts: [ClosedRange<Double>] {
        var parts: [ClosedRange<Double>] = []
        var start: Double?
        for segment in 0..<scale.segmentCount {
            var shares = (0...Self.steps).map { Double($0) / Double(Self.steps) }
            // Without noise, it is the only one.
            if segment == place.segment { shares = (shares + [place.share]).sorted() }
            var before: ScalePlace?
            for share in shares {
                let place = ScalePlace(segment: segment, share: share)
                switch (allows(place), start) {
                case (true, nil): start = scale.value(at: before.map { edge(from: $0, to: place) } ?? place)
                case (false, let low?):
                    parts.append(low...max(low, scale.value(at: before.map { edge(from: place, to: $0) } ?? place)))
                    start = nil
                default: break
                }
                before = place
            }
        }
        if let low = start, let last = scale.points.last { parts.append(low...last.value) }
        return parts
    }

    /// Returns the place at which the points begin that are not ruled out, between one that is and one that is not.
    private func edge(from outside: ScalePlace, to inside: ScalePlace) -> ScalePlace {
        var (out, within) = (outside.share, inside.share)
        for _ in 0..<Self.bisections {
            let middle = (out + within) / 2
            if allows(ScalePlace(segment: inside.segment, share: middle)) { within = middle } else { out = middle }
        }
        return ScalePlace(segment: inside.segment, share: within)
    }

    private func allows(_ place: ScalePlace) -> Bool {
        let color = scale.color(at: place)
        let way = color - nearest
        let distance = way.length
        guard distance > 1e-9 else { return true }
        let direction = way * (1 / distance)
        let variance = ([uncertainties] + scale.contributions(at: place)).reduce(0) { $0 + direction.variance(of: $1) }
        return (color - mean).dot(direction) <= factor * variance.squareRoot()
    }
}

extension Double {
    /// The value as people write it, with six significant digits at most.
    package var scaleText: String {
        let order = self == 0 || !isFinite ? 0 : Int(log10(magnitude).rounded(.down))
        return text(decimals: min(max(5 - order, 0), 9))
    }
}
