import Color
import Pixels

/// The leaf of the test pattern: an upright ellipse with spots of rust, whose share of its area is known.
enum Leaf {
    /// The rectangle in which the leaf is inscribed.
    static let region = Region(x: 0.925, y: 0.475, width: 0.06, height: 0.16)
    static let green = RGB8(r: 84, g: 140, b: 58)
    static let rust = RGB8(r: 172, g: 92, b: 40)

    /// The spots: the middle, from -1 to 1 across the leaf and along it, and the diameter as a share of the leaf's.
    /// None touches another, so the sum of the squares of the diameters is the share of rust, a quarter.
    private static let spots: [(x: Double, y: Double, size: Double)] = [
        (-0.35, -0.35, 0.3), (0.38, 0.3, 0.3), (-0.4, 0.4, 0.2), (0.35, -0.45, 0.1), (0, 0.75, 0.1),
        (0.02, -0.02, 0.1),
    ]

    static func paint(on canvas: inout SceneCanvas) {
        canvas.fillEllipse(in: region, green)
        for spot in spots {
            let place = Region(
                x: region.x + 0.5 * region.width * (1 + spot.x - spot.size),
                y: region.y + 0.5 * region.height * (1 + spot.y - spot.size), width: region.width * spot.size,
                height: region.height * spot.size)
            canvas.fillEllipse(in: place, rust)
        }
    }
}
