import Color
import Pixels

/// The colour chart of the test pattern, 24 patches in four rows of six.
///
/// The colours are the sRGB values that GretagMacbeth published for the ColorChecker, as listed in Danny Pascale, "RGB
/// coordinates of the Macbeth ColorChecker", BabelColor 2006.
enum TestChart {
    /// A patch of the chart.
    struct Patch {
        /// The name that the chart's maker gives it.
        let name: String
        /// Its colour under a lamp whose gains are all 1.
        let color: RGB8
    }

    /// The number of patches in a row.
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
