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

    /// A layout; the values are taken as they are.
    public init(format: PixelFormat, encoding: ColorEncoding, width: Int, height: Int, bytesPerLine: [Int]) {
        self.format = format
        self.encoding = encoding
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
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

    /// Where in its buffer the word lies that has a component's sample of the first pixel in a row of pixels.
    func start(of component: PixelFormat.Component, row: Int) -> Int {
        let line = (row >> component.yShift) * component.rowStep + component.rowOffset
        return start(ofPlane: component.plane) + line * stride(ofPlane: component.plane) + component.offset
    }

    /// The bytes that must be in each buffer for every pixel of a rectangle to be read; nil if the layout is no layout:
    /// a row that does not fit its stride, a picture without pixels.
    func bytesNeeded(for rect: PixelRect) -> [Int]? {
        guard (1...65_536).contains(width), (1...65_536).contains(height), bytesPerLine.count == format.bufferCount,
            bytesPerLine.allSatisfy({ (1...1_048_576).contains($0) }), rect.width > 0, rect.height > 0, rect.x >= 0,
            rect.y >= 0, rect.x + rect.width <= width, rect.y + rect.height <= height
        else { return nil }
        var needed = [Int](repeating: 0, count: format.bufferCount)
        for component in format.components {
            let wordSize = format.word == .byte ? 1 : 2
            let lastInRow = component.offset + ((width - 1) >> component.xShift) * component.step + wordSize
            guard lastInRow <= stride(ofPlane: component.plane) else { return nil }
            let lastRow = start(of: component, row: rect.y + rect.height - 1)
            let buffer = format.planes[component.plane].buffer
            needed[buffer] = max(needed[buffer], lastRow + lastInRow - component.offset)
        }
        return needed
    }

    private func rows(_ shift: Int) -> Int {
        (height + (1 << shift) - 1) >> shift
    }
}
