/// A picture in memory.
public struct PictureLayout: Equatable, Sendable {
    /// Where the components of a pixel lie.
    public var format: PixelFormat
    /// What they mean.
    public var encoding: ColorEncoding
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// From one row of the first plane to the next, in bytes; it may well be more than a row takes.
    public var bytesPerLine: Int

    /// A layout; the values are taken as they are.
    public init(format: PixelFormat, encoding: ColorEncoding, width: Int, height: Int, bytesPerLine: Int) {
        self.format = format
        self.encoding = encoding
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
    }

    /// Where a plane begins in the buffer.
    func start(ofPlane plane: Int) -> Int {
        format.planes.prefix(plane).reduce(0) { $0 + bytesPerLine * rows($1.yShift) }
    }

    /// The bytes that must be there for every pixel of a rectangle to be read; nil if the layout is no layout: a row
    /// that does not fit its stride, a picture without pixels.
    func bytesNeeded(for rect: PixelRect) -> Int? {
        guard width > 0, height > 0, bytesPerLine > 0, rect.width > 0, rect.height > 0, rect.x >= 0, rect.y >= 0,
            rect.x + rect.width <= width, rect.y + rect.height <= height
        else { return nil }
        var needed = 0
        for component in format.components {
            let lastInRow = component.offset + ((width - 1) >> component.xShift) * component.step
            guard lastInRow < bytesPerLine else { return nil }
            let lastRow = (rect.y + rect.height - 1) >> component.yShift
            needed = max(needed, start(ofPlane: component.plane) + lastRow * bytesPerLine + lastInRow + 1)
        }
        return needed
    }

    private func rows(_ shift: Int) -> Int {
        (height + (1 << shift) - 1) >> shift
    }
}
