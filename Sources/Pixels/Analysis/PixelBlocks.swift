/// The blocks into which the pixels of a grid fall: 8 rows of 8, or fewer for few pixels.
struct PixelBlocks: Sendable {
    private static let perSide = 8
    /// The number of blocks.
    static let count = perSide * perSide
    /// The number of a pixel that is outside the area.
    static let outside = UInt8.max

    /// The number of the block of each pixel, row by row from the top and each row from left to right.
    let numbers: [UInt8]
    /// Whether every pixel is in the area.
    let isFull: Bool

    /// - Parameter ellipse: The pixels that are in the area; nil for all.
    init(_ grid: PixelGrid, in ellipse: Ellipse?) {
        let (rowCount, columnCount) = (grid.rowCount, grid.columnCount)
        var numbers: [UInt8] = []
        numbers.reserveCapacity(rowCount * columnCount)
        for (row, y) in grid.rows.enumerated() {
            let inside = ellipse?.columns(ofRow: y)
            for (column, x) in grid.columns.enumerated() {
                let block = row * Self.perSide / rowCount * Self.perSide + column * Self.perSide / columnCount
                numbers.append(inside?.contains(x) ?? true ? UInt8(block) : Self.outside)
            }
        }
        isFull = ellipse == nil
        self.numbers = numbers
    }
}

/// The pixels whose centres lie in the ellipse that is inscribed in a region.
package struct Ellipse: Sendable {
    /// The rectangle that contains the region's pixels.
    private let rect: PixelRect
    /// The columns of each row of the rectangle.
    private let columns: [Range<Int>]
    /// The number of pixels; at least one.
    let pixelCount: Int

    /// - Parameters:
    ///   - width: The width of the picture, in pixels.
    ///   - height: The height of the picture, in pixels.
    package init(in region: Region, width: Int, height: Int) {
        let rect = region.pixels(width: width, height: height)
        let (radiusX, radiusY) = (region.width * Double(width) / 2, region.height * Double(height) / 2)
        let (centerX, centerY) = (region.x * Double(width) + radiusX, region.y * Double(height) + radiusY)
        func columns(ofRow y: Int) -> Range<Int> {
            let distance = (Double(y) + 0.5 - centerY) / radiusY
            guard abs(distance) <= 1 else { return rect.x..<rect.x }
            let half = radiusX * (1 - distance * distance).squareRoot()
            // The centre of column x is at x + 0.5.
            let first = min(max(Int((centerX - half - 0.5).rounded(.up)), rect.x), rect.x + rect.width)
            let end = min(max(Int((centerX + half - 0.5).rounded(.down)) + 1, first), rect.x + rect.width)
            return first..<end
        }
        var rows = (rect.y..<rect.y + rect.height).map(columns)
        if rows.allSatisfy(\.isEmpty) {
            // An ellipse between the centres of pixels has the one in its middle.
            let middle = rect.x + rect.width / 2
            rows[rect.height / 2] = middle..<middle + 1
        }
        self.rect = rect
        self.columns = rows
        pixelCount = rows.reduce(0) { $0 + $1.count }
    }

    /// Returns the columns that are inside in a row of the picture.
    package func columns(ofRow y: Int) -> Range<Int> {
        columns.indices ~= y - rect.y ? columns[y - rect.y] : rect.x..<rect.x
    }

    /// The pixels as rectangles that do not overlap.
    var parts: [PixelRect] {
        var parts: [PixelRect] = []
        for (index, row) in columns.enumerated() where !row.isEmpty {
            if let last = parts.last, last.y + last.height == rect.y + index, last.x == row.lowerBound,
                last.width == row.count
            {
                parts[parts.count - 1].height += 1
            } else {
                parts.append(PixelRect(x: row.lowerBound, y: rect.y + index, width: row.count, height: 1))
            }
        }
        return parts
    }
}
