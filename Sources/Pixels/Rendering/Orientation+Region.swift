extension Orientation {
    /// The part of the picture as the camera sends it that a region of the oriented picture shows.
    ///
    /// In fractions, for a picture of any size. Where an edge of the region lies on the middle of a pixel, which side the
    /// pixel belongs to may change: ``unoriented(_:width:height:)`` knows the size, and is exact.
    public func unoriented(_ region: Region) -> Region {
        var region = region
        // Of what is left beside it, rounding may make a little less than nothing.
        if isMirrored { region.x = max(1 - region.x - region.width, 0) }
        let (right, below) = (max(1 - region.x - region.width, 0), max(1 - region.y - region.height, 0))
        return switch rotation {
        case .degrees0: region
        case .degrees90: Region(x: region.y, y: right, width: region.height, height: region.width)
        case .degrees180: Region(x: right, y: below, width: region.width, height: region.height)
        case .degrees270: Region(x: below, y: region.x, width: region.height, height: region.width)
        }
    }

    /// The same, to the pixel: the region that covers those pixels of the picture as the camera sends it that the given
    /// region covers of the oriented picture.
    /// - Parameters:
    ///   - region: Of the oriented picture.
    ///   - width: Of the picture as the camera sends it, in pixels, 1 or more.
    ///   - height: Of the picture as the camera sends it, in pixels, 1 or more.
    public func unoriented(_ region: Region, width: Int, height: Int) -> Region {
        let (columns, rows) = swapsSides ? (height, width) : (width, height)
        let rect = region.pixels(width: columns, height: rows)
        let exact = Region(
            x: Double(rect.x) / Double(columns), y: Double(rect.y) / Double(rows),
            width: Double(rect.width) / Double(columns), height: Double(rect.height) / Double(rows))
        return unoriented(exact)
    }
}
