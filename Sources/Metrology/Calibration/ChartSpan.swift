package import Color

/// The colours that a chart spans: those between its patches in lightness, and in hue and chroma.
///
/// How a calibration changes other colours was not measured.
package struct ChartSpan: Sendable {
    /// The distance from the patches up to which a colour is spanned, in units of CIELAB (ours).
    private static let margin = 5.0
    /// The same distance in hue and chroma if the patches determine only a factor for each channel, so that they span
    /// nearly grey colours.
    private static let greyMargin = 2.0

    private let margin: Double
    private let lightness: ClosedRange<Double>
    /// The convex hull of the patches in the plane of a* and b*, counterclockwise.
    private let hull: [(a: Double, b: Double)]

    /// - Parameters:
    ///   - colors: The colours of the patches.
    ///   - model: What they determine.
    /// - Returns: Nil if there are no patches.
    init?(_ colors: [CIELab], _ model: ColorTransform.Model) {
        margin = model == .gains ? Self.greyMargin : Self.margin
        let levels = colors.map(\.lightness)
        guard let least = levels.min(), let most = levels.max() else { return nil }
        lightness = least...most
        hull = Self.hull(of: colors.map { ($0.a, $0.b) })
    }

    /// Returns how far outside of the chart a colour is, in units of CIELAB; 0 if it is spanned.
    package func distance(of color: CIELab) -> Double {
        let level = max(lightness.lowerBound - color.lightness, color.lightness - lightness.upperBound)
        let distance = distance(of: (color.a, color.b))
        return level > Self.margin || distance > margin ? max(level, distance) : 0
    }

    /// The distance of a point from the hull; 0 inside.
    private func distance(of point: (a: Double, b: Double)) -> Double {
        let edges = hull.indices.map { (from: hull[$0], to: hull[($0 + 1) % hull.count]) }
        let isInside = hull.count > 2 && edges.allSatisfy { Self.turn($0.from, $0.to, point) >= 0 }
        guard !isInside else { return 0 }
        let distances = edges.map { from, to -> Double in
            let edge = (a: to.a - from.a, b: to.b - from.b)
            let length = edge.a * edge.a + edge.b * edge.b
            let offset = (a: point.a - from.a, b: point.b - from.b)
            let along: Double = offset.a * edge.a + offset.b * edge.b
            let share = length > 0 ? min(max(along / length, 0), 1) : 0
            let (a, b) = (offset.a - share * edge.a, offset.b - share * edge.b)
            return (a * a + b * b).squareRoot()
        }
        return distances.min() ?? 0
    }

    /// Twice the signed area of a triangle: positive if its corners run counterclockwise.
    private static func turn(
        _ one: (a: Double, b: Double), _ two: (a: Double, b: Double), _ three: (a: Double, b: Double)
    ) -> Double {
        let first: Double = (two.a - one.a) * (three.b - one.b)
        let second: Double = (two.b - one.b) * (three.a - one.a)
        return first - second
    }

    /// The convex hull, by A. M. Andrew's monotone chain ("Another efficient algorithm for convex hulls in two
    /// dimensions", Information Processing Letters 9, 1979).
    private static func hull(of points: [(a: Double, b: Double)]) -> [(a: Double, b: Double)] {
        let sorted = points.sorted { ($0.a, $0.b) < ($1.a, $1.b) }
        func chain(_ points: [(a: Double, b: Double)]) -> [(a: Double, b: Double)] {
            var chain: [(a: Double, b: Double)] = []
            for point in points {
                while chain.count > 1 {
                    guard turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return Array(chain.dropLast())
        }
        let hull = chain(sorted) + chain(sorted.reversed())
        return hull.isEmpty ? Array(sorted.prefix(1)) : hull
    }
}

extension ChartFit {
    /// The colours that its used patches span; nil if none is used.
    package var span: ChartSpan? {
        ChartSpan(patches.filter { $0.reason == nil }.map(\.reference), transform.model)
    }
}
