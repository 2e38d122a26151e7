import Color
import Pixels

/// The scene of the test pattern: a strip with its card, a colour chart, a grey ramp, a band of hues, a grey card, a row of
/// cuvettes, a panel of lamps, a leaf with rust and three balls on a table, in front of a grey wall.
///
/// Places are fractions of the picture, so that the scene is whole at every size. The arithmetic is limited to what
/// IEEE 754 rounds exactly (no `pow`, no `sin`), so that every processor paints the same bytes.
enum TestScene {
    /// The grey ramp, from 0 at the left to 255 at the right.
    static let ramp = Region(x: 0.05, y: 0.79, width: 0.6, height: 0.06)
    /// The band of hues, from red to red.
    static let hues = Region(x: 0.05, y: 0.86, width: 0.6, height: 0.06)
    /// The grey card within its white border.
    static let card = Region(x: 0.72, y: 0.09, width: 0.22, height: 0.18)
    /// The colour of the card, which reflects 18 % of the light.
    static let cardColor = RGB8(r: 118, g: 118, b: 118)

    private struct Ball {
        /// The lowest point, as a fraction of the picture.
        let x, y: Double
        /// The radius, as a fraction of the height of a 4:3 picture.
        let radius: Double
        let color: RGB
        /// The brightness of its highlight, in code values.
        let gloss: Double
    }

    private static let balls = [
        Ball(x: 0.79, y: 0.80, radius: 0.165, color: RGB(r: 224, g: 222, b: 218), gloss: 60),
        Ball(x: 0.885, y: 0.87, radius: 0.105, color: RGB(r: 206, g: 74, b: 40), gloss: 150),
        Ball(x: 0.735, y: 0.90, radius: 0.07, color: RGB(r: 44, g: 120, b: 190), gloss: 150),
    ]

    /// Paints the scene as R, G, B, in the light at the beginning of the lamp's cycle.
    static func paint(width: Int, height: Int) -> [UInt8] {
        var canvas = SceneCanvas(width: width, height: height)
        canvas.fillRows(of: .full) { y in gray(y < 0.75 ? 128 - 26 * y / 0.75 : 112 + 24 * (y - 0.75) / 0.25) }
        canvas.fill(TestChart.frame, RGB8(r: 38, g: 38, b: 38))
        for (index, patch) in TestChart.patches.enumerated() { canvas.fill(TestChart.region(of: index), patch.color) }
        canvas.fillColumns(of: ramp) { x in gray(255 * x) }
        canvas.fillColumns(of: hues) { x in hue(6 * x) }
        canvas.fill(Region(x: 0.71, y: 0.07, width: 0.24, height: 0.22), RGB8(r: 228, g: 228, b: 226))
        canvas.fill(card, cardColor)
        StripAndCard.paint(on: &canvas)
        Cuvettes.paint(on: &canvas)
        LampPanel.paint(on: &canvas)
        Leaf.paint(on: &canvas)
        for ball in balls { paintShadow(of: ball, on: &canvas) }
        for ball in balls { paint(ball, on: &canvas) }
        return canvas.bytes
    }

    private static func gray(_ value: Double) -> RGB { RGB(all: value) }

    /// Returns a colour of the band: red at 0, green at 2, blue at 4, red at 6.
    private static func hue(_ hue: Double) -> RGB {
        /// The channel's value at a distance from its own hue, whichever way is shorter.
        func value(_ own: Double) -> Double {
            let distance = min(abs(hue - own), 6 - abs(hue - own))
            return 44 + 186 * min(max(2 - distance, 0), 1)
        }
        return RGB(r: value(0), g: value(2), b: value(4))
    }

    private static func radius(of ball: Ball, on canvas: SceneCanvas) -> Double {
        max(ball.radius * min(Double(canvas.width) * 0.75, Double(canvas.height)), 1)
    }

    private static func paintShadow(of ball: Ball, on canvas: inout SceneCanvas) {
        let radius = radius(of: ball, on: canvas)
        let center = (ball.x * Double(canvas.width) + 0.5 * radius, (ball.y - 0.01) * Double(canvas.height))
        canvas.blend(center: center, radii: (1.5 * radius, 0.28 * radius)) { x, y in
            let depth = max(1 - x * x - y * y, 0)
            return (gray(24), 0.6 * depth * depth)
        }
    }

    private static func paint(_ ball: Ball, on canvas: inout SceneCanvas) {
        let radius = radius(of: ball, on: canvas)
        let center = (ball.x * Double(canvas.width), ball.y * Double(canvas.height) - radius)
        canvas.blend(center: center, radii: (radius, radius)) { x, y in
            let distance = x * x + y * y
            // The direction in which the surface faces, towards the camera.
            let z = max(1 - distance, 0).squareRoot()
            // Light from the upper left, from the table below, and mirrored.
            let light = 0.30 + 0.74 * max(-0.46 * x - 0.62 * y + 0.64 * z, 0) + 0.10 * max(0.8 * y - 0.1 * z, 0)
            var mirrored = max(-0.24 * x - 0.33 * y + 0.91 * z, 0)
            for _ in 0..<5 { mirrored *= mirrored }
            let color = ball.color.map { min($0 * light + ball.gloss * mirrored, 255) }
            return (color, min(max((1 - distance.squareRoot()) * radius + 0.5, 0), 1))
        }
    }
}

/// The colour chart of the test pattern, 24 patches in four rows of six.
///
/// The colours are the sRGB values that GretagMacbeth published for the ColorChecker, as listed in Danny Pascale, "RGB
/// coordinates of the Macbeth ColorChecker", BabelColor 2006.
enum TestChart {
    struct Patch {
        /// The name that the chart's maker gives it.
        let name: String
        /// Its colour under a lamp whose gains are all 1.
        let color: RGB8
    }

    static let columns = 6

    /// The patches, row by row from the top left.
    static let patches = [
        patch("dark skin", 115, 82, 68), patch("light skin", 194, 150, 130), patch("blue sky", 98, 122, 157),
        patch("foliage", 87, 108, 67), patch("blue flower", 133, 128, 177), patch("bluish green", 103, 189, 170),
        patch("orange", 214, 126, 44), patch("purplish blue", 80, 91, 166), patch("moderate red", 193, 90, 99),
        patch("purple", 94, 60, 108), patch("yellow green", 157, 188, 64), patch("orange yellow", 224, 163, 46),
        patch("blue", 56, 61, 150), patch("green", 70, 148, 73), patch("red", 175, 54, 60),
        patch("yellow", 231, 199, 31), patch("magenta", 187, 86, 149), patch("cyan", 8, 133, 161),
        patch("white", 243, 243, 242), patch("neutral 8", 200, 200, 200), patch("neutral 6.5", 160, 160, 160),
        patch("neutral 5", 122, 122, 121), patch("neutral 3.5", 85, 85, 85), patch("black", 52, 52, 52),
    ]

    /// The chart's frame, which the patches lie on.
    static let frame = Region(x: 0.0475, y: 0.07, width: 0.605, height: 0.66)

    /// Returns the place of a patch in the picture.
    /// - Parameter index: The patch's index in ``patches``.
    static func region(of index: Int) -> Region {
        let (column, row) = (Double(index % columns), Double(index / columns))
        return Region(x: 0.06 + 0.1 * column, y: 0.09 + 0.16 * row, width: 0.08, height: 0.14)
    }

    private static func patch(_ name: String, _ r: UInt8, _ g: UInt8, _ b: UInt8) -> Patch {
        Patch(name: name, color: RGB8(r: r, g: g, b: b))
    }
}
