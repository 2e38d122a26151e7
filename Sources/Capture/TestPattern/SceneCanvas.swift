import Color
import Pixels

/// A picture that is painted shape by shape.
struct SceneCanvas {
    let width: Int
    let height: Int
    /// The pixels as R, G, B, row by row.
    private(set) var bytes: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        bytes = [UInt8](repeating: 0, count: width * height * 3)
    }

    mutating func fill(_ region: Region, _ color: RGB8) {
        let rect = region.pixels(width: width, height: height)
        for y in rect.y..<rect.y + rect.height {
            for x in rect.x..<rect.x + rect.width { set(x, y, color) }
        }
    }

    /// Fills the ellipse that is inscribed in a region: the pixels whose centres lie in it.
    mutating func fillEllipse(in region: Region, _ color: RGB8) {
        let ellipse = Ellipse(in: region, width: width, height: height)
        let rect = region.pixels(width: width, height: height)
        for y in rect.y..<rect.y + rect.height {
            for x in ellipse.columns(ofRow: y) { set(x, y, color) }
        }
    }

    /// Fills a region with a colour for each row.
    /// - Parameter color: Returns the colour of a row, whose coordinate is 0...1 from top to bottom.
    mutating func fillRows(of region: Region, _ color: (_ y: Double) -> RGB) {
        let rect = region.pixels(width: width, height: height)
        for row in 0..<rect.height {
            let color = color((Double(row) + 0.5) / Double(rect.height)).rounded
            for x in rect.x..<rect.x + rect.width { set(x, rect.y + row, color) }
        }
    }

    /// Fills a region with a colour for each column.
    /// - Parameter color: Returns the colour of a column, whose coordinate is 0...1 from left to right.
    mutating func fillColumns(of region: Region, _ color: (_ x: Double) -> RGB) {
        let rect = region.pixels(width: width, height: height)
        for column in 0..<rect.width {
            let color = color((Double(column) + 0.5) / Double(rect.width)).rounded
            for y in rect.y..<rect.y + rect.height { set(rect.x + column, y, color) }
        }
    }

    /// Paints a shape over the picture, within an ellipse.
    /// - Parameters:
    ///   - center: The centre in pixels.
    ///   - radii: The half axes in pixels.
    ///   - paint: Returns the colour of a point and the share of it that the shape covers, 0...1. The coordinates of
    ///     the point are -1...1 along the axes.
    mutating func blend(
        center: (x: Double, y: Double), radii: (x: Double, y: Double),
        _ paint: (_ x: Double, _ y: Double) -> (color: RGB, cover: Double)
    ) {
        // One pixel more on each side, for softened edges.
        let columns = Self.span(center.x, radii.x + 1, limit: width)
        for y in Self.span(center.y, radii.y + 1, limit: height) {
            for x in columns {
                let (color, cover) = paint(
                    (Double(x) + 0.5 - center.x) / radii.x, (Double(y) + 0.5 - center.y) / radii.y)
                guard cover > 0 else { continue }
                let index = (y * width + x) * 3
                func mixed(_ over: Double, _ offset: Int) -> Double {
                    let old = Double(bytes[index + offset])
                    return old + (over - old) * cover
                }
                set(x, y, RGB(r: mixed(color.r, 0), g: mixed(color.g, 1), b: mixed(color.b, 2)).rounded)
            }
        }
    }

    private mutating func set(_ x: Int, _ y: Int, _ color: RGB8) {
        let index = (y * width + x) * 3
        (bytes[index], bytes[index + 1], bytes[index + 2]) = (color.r, color.g, color.b)
    }

    private static func span(_ center: Double, _ radius: Double, limit: Int) -> Range<Int> {
        let first = min(max(Int(center - radius), 0), limit)
        return first..<min(max(Int(center + radius) + 1, first), limit)
    }
}
