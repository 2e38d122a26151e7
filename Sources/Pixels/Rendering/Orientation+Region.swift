extension Orientation {
    /// Returns the region of the camera's picture that a region of the oriented picture shows.
    ///
    /// It is in fractions, for a picture of any size. If an edge of the region lies on the middle of a pixel, the pixel
    /// may be rounded to the other side; ``unoriented(_:width:height:)`` takes the size and is exact.
    public func unoriented(_ region: Region) -> Region {
        var region = region
        // Rounding may make the remaining width slightly negative.
        if isMirrored { region.x = max(1 - region.x - region.width, 0) }
        let (right, below) = (max(1 - region.x - region.width, 0), max(1 - region.y - region.height, 0))
        return switch rotation {
        case .degrees0: region
        case .degrees90: Region(x: region.y, y: right, width: region.height, height: region.width)
        case .degrees180: Region(x: right, y: below, width: region.width, height: region.height)
        case .degrees270: Region(x: below, y: region.x, width: region.height, height: region.width)
        }
    }

    /// Returns the region of the camera's picture that covers exactly the pixels that a region of the oriented picture
    /// covers.
    /// - Parameters:
    ///   - region: A region of the oriented picture.
    ///   - width: The width of the camera's picture in pixels, at least 1.
    ///   - height: The height of the camera's picture in pixels, at least 1.
    public func unoriented(_ region: Region, width: Int, height: Int) -> Region {
        let (columns, rows) = swapsSides ? (height, width) : (width, height)
        let rect = region.pixels(width: columns, height: rows)
        let exact = Region(
            x: Double(rect.x) / Double(columns), y: Double(rect.y) / Double(rows),
            width: Double(rect.width) / Double(columns), height: Double(rect.height) / Double(rows))
        return unoriented(exact)
    }
}
