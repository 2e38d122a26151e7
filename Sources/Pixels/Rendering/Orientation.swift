/// The way in which a picture is turned before it is shown, for cameras that hang upside down, stand on their side or
/// act as a mirror.
///
/// The picture is first rotated, and then optionally mirrored, which exchanges left and right. In a camera's picture of
/// w by h pixels, pixel (x, y), counted from the top left, moves to
///
/// | rotation | not mirrored | mirrored | size |
/// |---|---|---|---|
/// | 0 | (x, y) | (w - 1 - x, y) | w by h |
/// | 90 | (h - 1 - y, x) | (y, x) | h by w |
/// | 180 | (w - 1 - x, h - 1 - y) | (x, h - 1 - y) | w by h |
/// | 270 | (y, w - 1 - x) | (h - 1 - y, w - 1 - x) | h by w |
public struct Orientation: Equatable, Hashable, Sendable {
    /// A rotation, in degrees clockwise as the viewer sees it.
    public enum Rotation: Int, CaseIterable, Sendable {
        /// The picture as the camera sends it.
        case degrees0 = 0
        /// The picture with its top on the right.
        case degrees90 = 90
        /// The picture upside down.
        case degrees180 = 180
        /// The picture with its top on the left.
        case degrees270 = 270
    }

    /// The rotation, which comes first.
    public var rotation: Rotation
    /// Whether left and right are exchanged, after the rotation.
    public var isMirrored: Bool

    /// The orientation that leaves the picture as the camera sends it.
    public static let upright = Orientation(rotation: .degrees0, isMirrored: false)

    /// All eight orientations.
    public static let all = Rotation.allCases.flatMap { rotation in
        [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
    }

    /// Creates an orientation from a rotation and an optional mirroring.
    public init(rotation: Rotation, isMirrored: Bool) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    /// Whether width and height are exchanged.
    public var swapsSides: Bool { rotation == .degrees90 || rotation == .degrees270 }
}

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

extension Orientation {
    /// Rotates and mirrors a bitmap.
    /// - Parameters:
    ///   - bitmap: The picture as the camera sends it.
    ///   - oriented: Receives the oriented picture; its memory is reallocated only if its size changes.
    public func apply(to bitmap: Bitmap, into oriented: inout Bitmap) {
        let rotation = PlaneRotation(self, width: bitmap.width, height: bitmap.height)
        if oriented.width != rotation.columns || oriented.height != rotation.rows {
            // This cannot fail, because the sides are those of a bitmap.
            guard let fresh = Bitmap(width: rotation.columns, height: rotation.rows) else { return }
            oriented = fresh
        }
        rotation.copy(
            bitmap.bytes, as: UInt32.self, perLine: bitmap.width, into: &oriented.bytes, perLine: oriented.width)
    }

    /// Rotates and mirrors a picture as JPEG files store it.
    ///
    /// Chroma turns with its plane: 4:2:2 becomes 4:4:0 when turned on its side, because chroma shared by two columns
    /// is then shared by two rows. In a picture of odd size, an incomplete cell that moves to the left or the top
    /// becomes complete there, which moves chroma by one pixel towards the other edge.
    /// - Parameters:
    ///   - planes: The picture as the camera sends it.
    ///   - oriented: Receives the oriented picture; its memory is reallocated only if its size changes.
    public func apply(to planes: JFIFPlanes, into oriented: inout JFIFPlanes) {
        let luma = PlaneRotation(self, width: planes.width, height: planes.height)
        let (xShift, yShift) = swapsSides ? (planes.yShift, planes.xShift) : (planes.xShift, planes.yShift)
        oriented.reshape(
            width: luma.columns, height: luma.rows, xShift: xShift, yShift: yShift, isGrey: planes.isGrey)
        for index in planes.planes.indices {
            let plane = planes.planes[index]
            let rotation = index == 0 ? luma : PlaneRotation(self, width: plane.bytesPerLine, height: plane.rows)
            rotation.copy(
                plane.bytes, as: UInt8.self, perLine: plane.bytesPerLine, into: &oriented.planes[index].bytes,
                perLine: oriented.planes[index].bytesPerLine)
        }
        oriented.planes[0].repeatEdges(width: luma.columns, height: luma.rows)
    }
}
