/// The pixels of a rectangle that are read: all of them, or those at regular distances.
public struct PixelGrid: Equatable, Sendable {
    /// The greatest number of pixels from which statistics are taken.
    public static let mostPixels = 50_000

    let rect: PixelRect
    /// The distance from one column to the next, in pixels; that of the rows follows.
    let xStep: Int
    let yStep: Int

    /// Creates a grid of every pixel.
    init(everyPixelOf rect: PixelRect) {
        self.rect = rect
        (xStep, yStep) = (1, 1)
    }

    /// Creates a grid of at most ``mostPixels`` pixels: of all if there are no more.
    ///
    /// The steps are odd. An even step would fall on the same place of every cell of a mosaic, every pair of pixels that
    /// share chroma and every block of a JPEG image.
    init(samplesOf rect: PixelRect) {
        var (xStep, yStep) = (1, 1)
        func count(_ size: Int, _ step: Int) -> Int { (size - Self.first(size, step) + step - 1) / step }
        while count(rect.width, xStep) * count(rect.height, yStep) > Self.mostPixels {
            // A skipped row is not even read from memory.
            if yStep == xStep { yStep += 2 } else { xStep += 2 }
        }
        self.rect = rect
        (self.xStep, self.yStep) = (xStep, yStep)
    }

    /// Every column of the rectangle.
    var allColumns: Range<Int> { rect.x..<rect.x + rect.width }

    /// The columns that are read.
    var columns: StrideTo<Int> {
        stride(from: rect.x + Self.first(rect.width, xStep), to: rect.x + rect.width, by: xStep)
    }

    /// The rows that are read.
    var rows: StrideTo<Int> {
        stride(from: rect.y + Self.first(rect.height, yStep), to: rect.y + rect.height, by: yStep)
    }

    /// Returns the first position that is read. It centres the grid in the rectangle.
    private static func first(_ size: Int, _ step: Int) -> Int { min(step / 2, size - 1) }
}
