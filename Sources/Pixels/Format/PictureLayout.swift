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
    /// From one row to the next in each buffer, in bytes; it may well be more than a row takes. A format with one
    /// buffer has one; of several planes in it, it is the first plane's.
    public var bytesPerLine: [Int]
    /// The size of each buffer in bytes, if it is known. Some drivers give odd sizes no room for the last of the chroma:
    /// what lies beyond is then taken from the nearest sample.
    public var bufferSizes: [Int]

    /// A layout; the values are taken as they are.
    public init(
        format: PixelFormat, encoding: ColorEncoding, width: Int, height: Int, bytesPerLine: [Int],
        bufferSizes: [Int] = []
    ) {
        self.format = format
        self.encoding = encoding
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
        self.bufferSizes = bufferSizes
    }

    /// From row to row of a plane.
    func stride(ofPlane index: Int) -> Int {
        let plane = format.planes[index]
        return (bytesPerLine[plane.buffer] * plane.strideMultiple) >> plane.strideShift
    }

    /// Where a plane begins in its buffer.
    func start(ofPlane index: Int) -> Int {
        let buffer = format.planes[index].buffer
        return format.planes.indices.prefix(index).filter { format.planes[$0].buffer == buffer }
            .reduce(0) { $0 + stride(ofPlane: $1) * rows(format.planes[$1].yShift) }
    }

    /// Where the rows of a component's samples lie.
    func rows(of component: PixelFormat.Component) -> ComponentRows {
        ComponentRows(
            buffer: format.planes[component.plane].buffer, start: start(ofPlane: component.plane),
            stride: stride(ofPlane: component.plane), component: component)
    }

    /// What is there of each component; nil if the layout is no layout: a row that does not fit its stride, a buffer
    /// that is too small, a picture without pixels.
    func extents() -> [Extent]? {
        guard (1...65_536).contains(width), (1...65_536).contains(height), bytesPerLine.count == format.bufferCount,
            bytesPerLine.allSatisfy({ (1...1_048_576).contains($0) })
        else { return nil }
        let extents = format.components.compactMap(extent)
        return extents.count == format.components.count ? extents : nil
    }

    private func extent(of component: PixelFormat.Component) -> Extent? {
        let rows = rows(of: component)
        let size = bufferSizes.indices.contains(rows.buffer) ? bufferSizes[rows.buffer] : .max
        let bytes = { format.word.end(ofSampleAt: component.offset + $0 * component.step) }
        var extent = Extent(lastSample: (width - 1) >> component.xShift, lastRow: height - 1)
        // Of the last cell's pixels some lie outside the picture: its chroma may, too.
        let isLastCellWhole = width % (1 << component.xShift) == 0
        if !isLastCellWhole, bytes(extent.lastSample) > rows.stride { extent.lastSample -= 1 }
        guard extent.lastSample >= 0, bytes(extent.lastSample) <= rows.stride else { return nil }
        let rowBytes = bytes(extent.lastSample)
        while rows.start(ofRow: extent.lastRow) + rowBytes > size {
            // Only what is shared among pixels has a neighbour that is as good.
            guard component.yShift > 0 else { return nil }
            extent.lastRow = ((extent.lastRow >> component.yShift) << component.yShift) - 1
            guard extent.lastRow >= 0 else { return nil }
        }
        return extent
    }

    /// The bytes that must be in each buffer for every pixel of a rectangle to be read; nil if there is no such
    /// rectangle in the picture.
    func bytesNeeded(for rect: PixelRect, _ extents: [Extent]) -> [Int]? {
        guard rect.width > 0, rect.height > 0, rect.x >= 0, rect.y >= 0, rect.x + rect.width <= width,
            rect.y + rect.height <= height
        else { return nil }
        var needed = [Int](repeating: 0, count: format.bufferCount)
        for (component, extent) in zip(format.components, extents) {
            let rows = rows(of: component)
            let lastRow = rows.start(ofRow: min(rect.y + rect.height - 1, extent.lastRow))
            let lastSample = component.offset + extent.lastSample * component.step
            needed[rows.buffer] = max(needed[rows.buffer], lastRow + format.word.end(ofSampleAt: lastSample))
        }
        return needed
    }

    private func rows(_ shift: Int) -> Int {
        (height + (1 << shift) - 1) >> shift
    }
}

/// Where the rows of a component's samples lie.
struct ComponentRows {
    /// Which of the picture's buffers.
    let buffer: Int
    /// Of the plane's first row in the buffer, in bytes.
    let start: Int
    /// From one row of the plane to the next, in bytes.
    let stride: Int
    let component: PixelFormat.Component

    /// Where in its buffer the row begins that has the samples for a row of pixels.
    func start(ofRow row: Int) -> Int {
        let samples = row >> component.yShift
        let (group, rest) =
            component.rowGroup == 1 ? (samples, 0) : samples.quotientAndRemainder(dividingBy: component.rowGroup)
        return start + (group * component.rowStep + rest + component.rowOffset) * stride
    }
}

/// How far the samples of a component reach.
struct Extent: Equatable, Sendable {
    /// In each row, counted from 0.
    var lastSample: Int
    /// The last row of pixels that has samples of its own.
    var lastRow: Int
}
