/// The patches of a chart in a picture, by the four corners of the chart.
package struct ChartGrid: Equatable, Sendable {
    /// A point of the picture, in shares of its width and height.
    package typealias Point = (x: Double, y: Double)

    /// The part of a patch's width and height that is measured.
    private static let share = 0.5

    /// The areas of the patches, row by row: the largest upright rectangle of its proportions in the middle half of
    /// each.
    package let areas: [PictureArea]

    /// - Parameters:
    ///   - corners: The outer corners of the first patch, of the last one of its row, and so on, round the chart.
    ///   - columns: The number of patches in a row.
    ///   - count: The number of patches.
    /// - Returns: Nil if the corners are not those of a chart in the picture, or if its patches are too small.
    package init?(corners: [Point], columns: Int, count: Int) {
        guard corners.count == 4, columns > 0, count > 0, corners.allSatisfy({ 0...1 ~= $0.x && 0...1 ~= $0.y }),
            Self.isConvex(corners)
        else { return nil }
        let size = (columns: Double(columns), rows: Double((count + columns - 1) / columns))
        let map = Self.projection(corners)
        areas = (0..<count).compactMap { index in
            let (column, row) = (Double(index % columns) + 0.5, Double(index / columns) + 0.5)
            let half = Self.share / 2
            let middle = [(-half, -half), (half, -half), (half, half), (-half, half)].map { x, y in
                map((column + x) / size.columns, (row + y) / size.rows)
            }
            return Self.rectangle(in: middle, around: map(column / size.columns, row / size.rows))
        }
        guard areas.count == count else { return nil }
    }

    /// Whether each corner turns the same way, by more than rounding would explain.
    private static func isConvex(_ corners: [Point]) -> Bool {
        let turns = (0..<4).map { index in
            let (one, two, three) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (two.x - one.x) * (three.y - two.y) - (two.y - one.y) * (three.x - two.x)
        }
        return turns.allSatisfy { $0 > 1e-6 } || turns.allSatisfy { $0 < -1e-6 }
    }

    /// The projective mapping of the unit square to a quadrilateral (P. S. Heckbert, Fundamentals of Texture Mapping
    /// and Image Warping, 1989, 2.2.3).
    private static func projection(_ corners: [Point]) -> (_ u: Double, _ v: Double) -> Point {
        let (one, two, three, four) = (corners[0], corners[1], corners[2], corners[3])
        let (right, left) = ((two.x - three.x, two.y - three.y), (four.x - three.x, four.y - three.y))
        let rest = (one.x - two.x + three.x - four.x, one.y - two.y + three.y - four.y)
        let determinant = right.0 * left.1 - right.1 * left.0
        let g = (rest.0 * left.1 - rest.1 * left.0) / determinant
        let h = (right.0 * rest.1 - right.1 * rest.0) / determinant
        return { u, v in
            let scale = 1 / (g * u + h * v + 1)
            return (
                ((two.x - one.x + g * two.x) * u + (four.x - one.x + h * four.x) * v + one.x) * scale,
                ((two.y - one.y + g * two.y) * u + (four.y - one.y + h * four.y) * v + one.y) * scale
            )
        }
    }

    /// Returns the largest upright rectangle around a point in a convex quadrilateral that has the proportions of the
    /// quadrilateral's bounds.
    private static func rectangle(in corners: [Point], around center: Point) -> PictureArea? {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let width = (xs.max() ?? 0) - (xs.min() ?? 0)
        let height = (ys.max() ?? 0) - (ys.min() ?? 0)
        let scales = corners.indices.map { index in
            let (from, to) = (corners[index], corners[(index + 1) % 4])
            let (x, y) = (to.x - from.x, to.y - from.y)
            // The distance of the centre from the edge, and how far the rectangle reaches towards it.
            let distance = abs(x * (center.y - from.y) - y * (center.x - from.x))
            return 2 * distance / (abs(y) * width + abs(x) * height)
        }
        guard let scale = scales.min(), scale.isFinite, scale * min(width, height) > 1e-3 else { return nil }
        return PictureArea(
            x: center.x - scale * width / 2, y: center.y - scale * height / 2, width: scale * width,
            height: scale * height)
    }
}
