package import Color

/// A row of colours with values, such as that of a pH strip, from which the value of a colour is read.
///
/// From each colour to the next, the scale is a straight line in CIELAB (D50), along which the value changes in proportion
/// to the distance (ours: nothing is known of what lies between). A strip with several pads has a colour of each pad for
/// each value, and is a straight line in the space of all their coordinates.
package struct ColorScale: Equatable, Sendable {
    /// The permitted numbers of points.
    package static let counts = 3...32
    /// The permitted numbers of pads.
    package static let padCounts = 1...PadVector.maxCount

    /// A value and its colour, or that of each pad.
    package struct Point: Equatable, Sendable {
        package let value: Double
        package let colors: [CIELab]
        let vector: PadVector
        /// How well the colours are known; empty if they are known exactly.
        let uncertainties: [Uncertainty]

        /// - Parameter errors: The standard errors of the colours, as differences in CIELAB, taken as equal in all
        ///   directions; empty if the colours are known exactly.
        package init(value: Double, colors: [CIELab], errors: [Double] = []) {
            (self.value, self.colors) = (value, colors)
            vector = PadVector(colors.map(\.vector))
            uncertainties = errors.map { error in
                Uncertainty(
                    covariance: Symmetric3(diagonal: SIMD3(repeating: error * error / 3), others: .zero),
                    degreesOfFreedom: .infinity)
            }
        }

        /// A point whose colours are measured.
        package init(value: Double, measured colors: [MeasuredColor]) {
            (self.value, self.colors) = (value, colors.map(\.mean))
            vector = PadVector(colors.map(\.mean.vector))
            uncertainties = colors.map(\.uncertainty)
        }
    }

    /// The points by increasing value, of which neighbours differ in colour.
    package let points: [Point]
    /// The greatest ΔE00 from the scale that a colour on it may have.
    package let tolerance: Double

    /// - Parameter points: Points in any order.
    /// - Returns: Nil if there are too few or too many, if they have different numbers of pads, or if two have the same
    ///   value, or two neighbours the same colours.
    package init?(_ points: [Point], tolerance: Double) {
        let sorted = points.sorted { $0.value < $1.value }
        guard Self.counts ~= points.count,
            points.allSatisfy({ Self.padCounts ~= $0.colors.count && $0.colors.count == points[0].colors.count }),
            zip(sorted, sorted.dropFirst()).allSatisfy({ $0.value < $1.value && $0.colors != $1.colors })
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

    package var padCount: Int { points[0].colors.count }

    func start(_ segment: Int) -> PadVector { points[segment].vector }

    /// The difference of the ends of a segment.
    func span(_ segment: Int) -> PadVector { points[segment + 1].vector - start(segment) }

    func color(at place: ScalePlace) -> PadVector { start(place.segment) + span(place.segment) * place.share }

    func value(at place: ScalePlace) -> Double {
        let (first, last) = (points[place.segment].value, points[place.segment + 1].value)
        return first + place.share * (last - first)
    }

    /// Returns the point that is nearest to a colour.
    func nearest(to color: PadVector) -> ScalePlace {
        let places = (0..<segmentCount).map { segment in
            let span = span(segment)
            let share = (color - start(segment)).dot(span) / span.dot(span)
            return ScalePlace(segment: segment, share: min(max(share, 0), 1))
        }
        func distance(_ place: ScalePlace) -> Double { (self.color(at: place) - color).length }
        return places.min { distance($0) < distance($1) } ?? ScalePlace(segment: 0, share: 0)
    }

    /// Returns what the ends of its segment contribute to the uncertainty of the colours of a place.
    func contributions(at place: ScalePlace) -> [[Uncertainty]] {
        [(points[place.segment], 1 - place.share), (points[place.segment + 1], place.share)].map { point, share in
            point.uncertainties.map {
                Uncertainty(covariance: $0.covariance * (share * share), degreesOfFreedom: $0.degreesOfFreedom)
            }
        }
    }
}

/// The coordinates of the colours of up to four pads in CIELAB.
struct PadVector: Equatable, Sendable {
    static let maxCount = 4

    /// Four elements for each pad, of which the last is 0, as are those of pads that do not exist.
    private var elements = SIMD16<Double>.zero

    init(_ pads: [SIMD3<Double>]) {
        for (index, pad) in pads.prefix(Self.maxCount).enumerated() {
            for axis in 0..<3 { elements[4 * index + axis] = pad[axis] }
        }
    }

    private init(_ elements: SIMD16<Double>) { self.elements = elements }

    subscript(pad: Int) -> SIMD3<Double> { SIMD3(elements[4 * pad], elements[4 * pad + 1], elements[4 * pad + 2]) }

    static func + (one: Self, two: Self) -> Self { Self(one.elements + two.elements) }
    static func - (one: Self, two: Self) -> Self { Self(one.elements - two.elements) }
    static func * (one: Self, factor: Double) -> Self { Self(one.elements * factor) }

    func dot(_ other: Self) -> Double { (elements * other.elements).sum() }
    var length: Double { dot(self).squareRoot() }

    /// Returns the variance of the coordinate along this direction of colours with these covariances, one for each pad.
    func variance(of colors: [Uncertainty]) -> Double {
        colors.enumerated().reduce(0) { sum, color in
            let direction = self[color.offset]
            return sum + direction.dot(color.element.covariance * direction)
        }
    }
}
