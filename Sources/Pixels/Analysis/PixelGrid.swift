/// The pixels of a rectangle that are read: all of them, or those at regular distances.
public struct PixelGrid: Equatable, Sendable {
    /// The maximum number of pixels in a region that is read in full.
    public static let maxPixelsReadInFull = 50_000
    /// The maximum number of pixels on the grid in a larger region. It bounds the time that a frame takes.
    static let maxGridPixels = 8192
    /// The maximum number of pixels of a light and its surroundings.
    static let maxLightPixels = 4096
    /// The number of pixels on the grid that each of many regions has at least.
    static let minGridPixels = 256

    let rect: PixelRect
    /// The distance from one column to the next, in pixels.
    let xStep: Int
    /// The distance from one row to the next, in pixels: equal to `xStep`, or 2 more.
    let yStep: Int

    init(everyPixelOf rect: PixelRect) {
        self.rect = rect
        (xStep, yStep) = (1, 1)
    }

    /// Creates a grid of every pixel of a rectangle of up to ``maxPixelsReadInFull`` pixels, and of up to
    /// ``maxGridPixels`` pixels of a larger one.
    ///
    /// Several regions of one picture share these numbers, so that they take about as long as one region does. On
    /// grids, they have half as many pixels in all, because each region takes some time of its own.
    ///
    /// The steps are odd. An even step would fall on the same place of every cell of a mosaic, every pair of pixels
    /// that share chroma and every block of a JPEG image.
    ///
    /// - Parameter count: The number of regions.
    init(samplesOf rect: PixelRect, sharedBy count: Int = 1) {
        var (xStep, yStep) = (1, 1)
        let inFull = Self.maxPixelsReadInFull / max(1, count)
        let onGrid = count > 1 ? max(Self.maxGridPixels / (2 * count), Self.minGridPixels) : Self.maxGridPixels
        let most = rect.width * rect.height > inFull ? onGrid : inFull
        while Self.count(rect.width, xStep) * Self.count(rect.height, yStep) > most {
            // Rows are thinned out first: a skipped row is not even read from memory.
            if yStep == xStep { yStep += 2 } else { xStep += 2 }
        }
        self.rect = rect
        (self.xStep, self.yStep) = (xStep, yStep)
    }

    /// Creates a grid of up to ``maxLightPixels`` pixels of the area of a light and its surroundings, which is read with
    /// every frame. Several lights share as many as four of them have.
    init(lightIn rect: PixelRect, sharedBy count: Int) {
        var step = 1
        let most = Self.maxLightPixels * 4 / max(4, count)
        while Self.count(rect.width, step) * Self.count(rect.height, step) > most { step += 2 }
        self.rect = rect
        (xStep, yStep) = (step, step)
    }

    var count: Int { columnCount * rowCount }

    var columnCount: Int { Self.count(rect.width, xStep) }

    var rowCount: Int { Self.count(rect.height, yStep) }

    var allColumns: Range<Int> { rect.x..<rect.x + rect.width }

    var columns: StrideTo<Int> {
        stride(from: rect.x + Self.first(rect.width, xStep), to: rect.x + rect.width, by: xStep)
    }

    var rows: StrideTo<Int> {
        stride(from: rect.y + Self.first(rect.height, yStep), to: rect.y + rect.height, by: yStep)
    }

    private static func count(_ size: Int, _ step: Int) -> Int { (size - first(size, step) + step - 1) / step }

    /// Returns the first position that is read. It centres the grid in the rectangle.
    private static func first(_ size: Int, _ step: Int) -> Int { min(step / 2, size - 1) }
}
