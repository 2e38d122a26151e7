/// The layout of a picture in memory.
public struct PictureLayout: Equatable, Sendable {
    /// The positions of a pixel's components.
    public var format: PixelFormat
    /// The way in which the components represent a colour.
    public var encoding: ColorEncoding
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The distance from one row to the next in each buffer, in bytes, which may be more than a row needs. If a buffer
    /// has several planes, it is that of the first plane.
    public var bytesPerLine: [Int]
    /// The size of each buffer in bytes, if it is known. For odd picture sizes, some drivers leave no room for the last
    /// chroma samples; the nearest sample is then used instead.
    public var bufferSizes: [Int]

    /// Creates a layout from the given values, unchecked.
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

    /// Returns the distance between two rows of a plane, in bytes.
    func stride(ofPlane index: Int) -> Int {
        let plane = format.planes[index]
        return (bytesPerLine[plane.buffer] * plane.strideMultiple) >> plane.strideShift
    }

    /// Returns the offset of a plane in its buffer.
    func start(ofPlane index: Int) -> Int {
        let buffer = format.planes[index].buffer
        return format.planes.indices.prefix(index).filter { format.planes[$0].buffer == buffer }
            .reduce(0) { $0 + stride(ofPlane: $1) * rows(format.planes[$1].yShift) }
    }

    /// Returns the positions of the rows of a component's samples.
    func rows(of component: PixelFormat.Component) -> ComponentRows {
        ComponentRows(
            buffer: format.planes[component.plane].buffer, start: start(ofPlane: component.plane),
            stride: stride(ofPlane: component.plane), component: component)
    }

    /// Returns how far the samples of each component extend; nil if a row does not fit its stride, a buffer is too
    /// small, or the picture has no pixels.
    func extents() -> [SampleExtent]? {
        guard (1...65_536).contains(width), (1...65_536).contains(height), bytesPerLine.count == format.bufferCount,
            bytesPerLine.allSatisfy({ (1...1_048_576).contains($0) })
        else { return nil }
        let extents = format.components.compactMap(extent)
        return extents.count == format.components.count ? extents : nil
    }

    private func extent(of component: PixelFormat.Component) -> SampleExtent? {
        let rows = rows(of: component)
        let size = bufferSizes.indices.contains(rows.buffer) ? bufferSizes[rows.buffer] : .max
        let bytes = { format.word.end(ofSampleAt: component.offset + $0 * component.step) }
        var extent = SampleExtent(lastSample: (width - 1) >> component.xShift, lastRow: height - 1)
        // If some pixels of the last cell lie outside the picture, its chroma may be missing.
        let isLastCellWhole = width % (1 << component.xShift) == 0
        if !isLastCellWhole, bytes(extent.lastSample) > rows.stride { extent.lastSample -= 1 }
        guard extent.lastSample >= 0, bytes(extent.lastSample) <= rows.stride else { return nil }
        let rowBytes = bytes(extent.lastSample)
        while rows.start(ofRow: extent.lastRow) + rowBytes > size {
            // Only a sample that several rows share can be replaced by its neighbour.
            guard component.yShift > 0 else { return nil }
            extent.lastRow = ((extent.lastRow >> component.yShift) << component.yShift) - 1
            guard extent.lastRow >= 0 else { return nil }
        }
        return extent
    }

    /// Returns how many bytes each buffer must have for reading a rectangle; nil if the rectangle is not inside the
    /// picture.
    func bytesNeeded(for rect: PixelRect, _ extents: [SampleExtent]) -> [Int]? {
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

/// The positions of the rows of a component's samples.
struct ComponentRows {
    /// The index of the buffer.
    let buffer: Int
    /// The offset of the plane's first row in the buffer, in bytes.
    let start: Int
    /// The distance between two rows of the plane, in bytes.
    let stride: Int
    let component: PixelFormat.Component

    /// Returns the offset in the buffer of the row with the samples for a row of pixels.
    @inline(__always)
    func start(ofRow row: Int) -> Int {
        let samples = row >> component.yShift
        let (group, rest) =
            component.rowGroup == 1 ? (samples, 0) : samples.quotientAndRemainder(dividingBy: component.rowGroup)
        return start + (group * component.rowStep + rest + component.rowOffset) * stride
    }
}

/// The extent of a component's samples.
struct SampleExtent: Equatable, Sendable {
    /// The index of the last sample in each row.
    var lastSample: Int
    /// The index of the last row of pixels that has samples of its own.
    var lastRow: Int
}
