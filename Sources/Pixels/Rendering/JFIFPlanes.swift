/// A picture as JPEG files store it: one 8-bit plane each of Y', Cb and Cr in full range with the matrix of BT.601
/// (JFIF 1.02, section 7), or of Y' alone.
public struct JFIFPlanes: Equatable, Sendable {
    /// The samples of one component.
    public struct Plane: Equatable, Sendable {
        /// The number of samples in a row. The next row follows without a gap.
        public private(set) var bytesPerLine = 0
        /// The number of rows.
        public private(set) var rows = 0
        /// The samples, `bytesPerLine * rows` of them.
        public internal(set) var bytes: [UInt8] = []

        /// Sets the size of the plane; memory is reallocated only if the size changes.
        mutating func reshape(bytesPerLine: Int, rows: Int) {
            guard (self.bytesPerLine, self.rows) != (bytesPerLine, rows) else { return }
            (self.bytesPerLine, self.rows) = (bytesPerLine, rows)
            bytes = [UInt8](repeating: 0, count: bytesPerLine * rows)
        }

        /// Repeats the last column and the last row of the picture up to the plane's edges.
        mutating func repeatEdges(width: Int, height: Int) {
            for row in 0..<height where width < bytesPerLine {
                let end = row * bytesPerLine + width
                for index in end..<(row + 1) * bytesPerLine { bytes[index] = bytes[end - 1] }
            }
            for index in height * bytesPerLine..<bytes.count { bytes[index] = bytes[index - bytesPerLine] }
        }
    }

    /// The width in pixels.
    public private(set) var width = 0
    /// The height in pixels.
    public private(set) var height = 0
    /// log2 of the number of pixels in a row that share chroma: 0 or 1.
    public private(set) var xShift = 0
    /// log2 of the number of rows that share chroma: 0 or 1.
    public private(set) var yShift = 0
    /// Whether there is luma alone.
    public private(set) var isGrey = false
    /// The planes of luma, blue difference and red difference; the last two are empty in a grey picture.
    ///
    /// Every chroma sample has all of its luma samples, as libjpeg-turbo's compressor requires. At odd sizes, luma has
    /// one more column or row than the picture, which repeats the last one.
    public internal(set) var planes = [Plane(), Plane(), Plane()]

    /// Creates empty planes. They keep their memory when one picture after another is converted into them.
    public init() {}

    /// Allocates room for a picture.
    mutating func reshape(width: Int, height: Int, xShift: Int, yShift: Int, isGrey: Bool) {
        (self.width, self.height, self.isGrey) = (width, height, isGrey)
        (self.xShift, self.yShift) = (xShift, yShift)
        let (columns, rows) = ((width + (1 << xShift) - 1) >> xShift, (height + (1 << yShift) - 1) >> yShift)
        planes[0].reshape(bytesPerLine: columns << xShift, rows: rows << yShift)
        for index in 1...2 {
            planes[index].reshape(bytesPerLine: isGrey ? 0 : columns, rows: isGrey ? 0 : rows)
        }
    }
}
