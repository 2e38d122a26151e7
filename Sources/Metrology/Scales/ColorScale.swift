package import Color

/// A row of colours with values, such as that of a pH strip, from which the value of a colour is read.
///
/// From each colour to the next, the scale is a straight line in CIELAB (D50), along which the value changes in proportion
/// to the distance (ours: nothing is known of what lies between).
package struct ColorScale: Equatable, Sendable {
    /// The permitted numbers of points.
    package static let counts = 3...32

    /// A colour of the scale and its value.
    package struct Point: Equatable, Sendable {
        package let value: Double
        package let color: CIELab
        /// The covariance of the colour; zero for one that is known exactly.
        let covariance: Symmetric3
        let degreesOfFreedom: Double

        /// A point whose colour is known exactly.
        package init(value: Double, color: CIELab) {
            (self.value, self.color, covariance, degreesOfFreedom) = (value, color, .zero, .infinity)
        }

        /// A point whose colour is measured.
        package init(value: Double, color: MeasuredColor) {
            (self.value, self.color) = (value, color.mean)
            let uncertainty = color.uncertainty
            (covariance, degreesOfFreedom) = (uncertainty.covariance, uncertainty.degreesOfFreedom)
        }
    }

    /// The points by increasing value, of which neighbours differ in colour.
    package let points: [Point]
    /// The greatest ΔE00 from the scale that a colour on it may have.
    package let tolerance: Double

    /// - Parameter points: Points in any order.
    /// - Returns: Nil if there are too few or too many, or if two have the same value, or two neighbours the same colour.
    package init?(_ points: [Point], tolerance: Double) {
        let sorted = points.sorted { $0.value < $1.value }
        guard Self.counts ~= points.count,
            zip(sorted, sorted.dropFirst()).allSatisfy({ $0.value < $1.value && $0.color != $1.color })
        else { return nil }
        (self.points, self.tolerance) = (sorted, tolerance)
    }
}

/// A place on a scale: a segment, and the share of the way along it.
struct ScalePlace: Equatable, Sendable {
    var segment: Int
    var share: Double
}

extension ColorScale {
    var segmentCount: Int { points.count - 1 }

    func start(_ segment: Int) -> SIMD3<Double> { points[segment].color.vector }

    /// The difference of the ends of a segment.
    func span(_ segment: Int) -> SIMD3<Double> { points[segment + 1].color.vector - start(segment) }

    func color(at place: ScalePlace) -> SIMD3<Double> { start(place.segment) + place.share * span(place.segment) }

    func value(at place: ScalePlace) -> Double {
        let (first, last) = (points[place.segment].value, points[place.segment + 1].value)
        return first + place.share * (last - first)
    }

    /// Returns the point that is nearest to a colour.
    func nearest(to color: SIMD3<Double>) -> ScalePlace {
        let places = (0..<segmentCount).map { segment in
            let span = span(segment)
            let share = (color - start(segment)).dot(span) / span.dot(span)
            return ScalePlace(segment: segment, share: min(max(share, 0), 1))
        }
        func distance(_ place: ScalePlace) -> Double { (self.color(at: place) - color).length }
        return places.min { distance($0) < distance($1) } ?? ScalePlace(segment: 0, share: 0)
    }

    /// Returns the parts of the covariance of the colour of a place that come from both ends of its segment.
    func covariances(at place: ScalePlace) -> (first: Symmetric3, last: Symmetric3) {
        (
            points[place.segment].covariance * ((1 - place.share) * (1 - place.share)),
            points[place.segment + 1].covariance * (place.share * place.share)
        )
    }

    /// Returns both parts of the variance of the colour of a place in a direction.
    func variances(at place: ScalePlace, along direction: SIMD3<Double>) -> (first: Double, last: Double) {
        let (first, last) = covariances(at: place)
        return (direction.dot(first * direction), direction.dot(last * direction))
    }
}
