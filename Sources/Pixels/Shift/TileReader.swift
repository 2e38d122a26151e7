/// A reader of the profiles of some tiles of a picture, which show a shift of the picture.
///
/// There are up to 4 x 4 tiles of 64 x 64 pixels, spread over the surroundings of some areas, and one tile of the whole
/// picture, of which a regular grid of pixels is read. The former find a shift of a fraction of a pixel, and the latter
/// one of up to a quarter of the picture. Their cost does not depend on the size of the picture.
public struct TileReader: Sendable {
    /// The side of a tile in pixels, and the maximum number of tiles along each axis.
    private static let (side, tilesPerAxis) = (64, 4)
    /// The pixels around the areas that belong to their surroundings.
    private static let margin = 32

    private let access: PictureAccess
    private let loop: TableLoop
    private let tiles: [PixelGrid]
    private let whole: PixelGrid

    /// Prepares to read the pictures of an analyser.
    /// - Parameter areas: The parts of the picture whose surroundings are read. An area that is the whole picture does
    ///   not count: it stays the whole picture, however the camera is moved.
    /// - Returns: Nil if no area counts, or if the layout cannot be read.
    public init?(_ analyser: Analyser, around areas: [Region]) {
        let layout = analyser.layout
        let picture = PixelRect(x: 0, y: 0, width: layout.width, height: layout.height)
        let rects = areas.map { $0.pixels(width: layout.width, height: layout.height) }.filter { $0 != picture }
        guard !rects.isEmpty, let access = PictureAccess(layout: layout) else { return nil }
        self.access = access
        loop = analyser.tableLoop
        whole = PixelGrid(samplesOf: picture)
        let columns = Self.starts(rects.map { $0.x..<$0.x + $0.width }, in: layout.width)
        let rows = Self.starts(rects.map { $0.y..<$0.y + $0.height }, in: layout.height)
        tiles = rows.starts.flatMap { y in
            columns.starts.map { x in
                PixelGrid(everyPixelOf: PixelRect(x: x, y: y, width: columns.side, height: rows.side))
            }
        }
    }

    /// Reads the profiles of a picture, given as one span for each buffer.
    /// - Returns: Nil if bytes are missing.
    public func profiles(
        of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()
    ) -> TileProfiles? {
        unsafe access.withBytes(first, second, third) { picture in
            func profile(_ grid: PixelGrid) -> TileProfiles.Tile {
                var sums = LumaSums(columns: grid.columnCount, rows: grid.rowCount)
                unsafe loop.pass(picture, on: grid, to: &sums)
                return TileProfiles.Tile(sums, pixels: (grid.xStep, grid.yStep))
            }
            return TileProfiles(tiles: tiles.map(profile), whole: profile(whole))
        }
    }

    /// Returns where tiles begin along an axis, evenly spread over the surroundings of some areas.
    private static func starts(_ areas: [Range<Int>], in size: Int) -> (starts: [Int], side: Int) {
        let side = min(Self.side, size)
        var lower = (areas.map(\.lowerBound).min() ?? 0) - margin
        var upper = (areas.map(\.upperBound).max() ?? size) + margin
        // Small areas have little around them that could show a shift.
        let missing = max(side * tilesPerAxis - (upper - lower), 0)
        (lower, upper) = (lower - missing / 2, upper + missing / 2)
        let length = min(upper - lower, size)
        lower = min(max(lower, 0), size - length)
        let count = min(max(length / side, 1), tilesPerAxis)
        return ((0..<count).map { lower + (count > 1 ? $0 * (length - side) / (count - 1) : 0) }, side)
    }
}

/// A sink that adds up the luma of the columns and of the rows of a rectangle.
struct LumaSums: PixelSink {
    /// The sums in sixteenths of a code value.
    private(set) var columns: [UInt32]
    private(set) var rows: [UInt32]
    private var (x, y) = (0, 0)

    init(columns: Int, rows: Int) {
        self.columns = [UInt32](repeating: 0, count: columns)
        self.rows = [UInt32](repeating: 0, count: rows)
    }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        guard y < rows.count else { return }
        let value = ConversionTable.clamped(pixel)
        let (mask, bits) = (ConversionTable.fieldMask, ConversionTable.fieldBits)
        // Green counts twice, which is close enough to the weights of luma.
        let sum = (value & mask) &+ (value &>> bits & mask) &* 2 &+ value &>> (2 &* bits)
        let luma = UInt32(truncatingIfNeeded: sum &>> 8)
        columns[x] &+= luma
        rows[y] &+= luma
        x &+= 1
        if x == columns.count { (x, y) = (0, y &+ 1) }
    }
}
