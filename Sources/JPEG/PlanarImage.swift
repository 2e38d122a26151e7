/// A decoded picture: Y'CbCr as JFIF has it (BT.601, full range), a plane each, or luma alone.
public struct PlanarImage: Equatable, Sendable {
    /// One plane.
    public struct Plane: Equatable, Sendable {
        /// From row to row.
        public var bytesPerLine = 0
        /// The samples, rows padded to `bytesPerLine`.
        public var bytes: [UInt8] = []
    }

    /// In pixels.
    public var width = 0
    /// In pixels.
    public var height = 0
    /// log2 of the number of pixels in a row that share chroma.
    public var xShift = 0
    /// log2 of the number of rows that share chroma.
    public var yShift = 0
    /// Whether there is luma alone.
    public var isGrey = false
    /// Luma, blue difference, red difference; a grey picture has the first alone.
    public var planes = [Plane(), Plane(), Plane()]

    /// No picture. One is decoded into it, again and again: it keeps its memory.
    public init() {}
}
