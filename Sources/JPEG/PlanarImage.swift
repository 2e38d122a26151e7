/// A decoded picture in JFIF's Y'CbCr (BT.601, full range), one plane for each component, or luma alone.
public struct PlanarImage: Equatable, Sendable {
    /// The samples of one component.
    public struct Plane: Equatable, Sendable {
        /// The distance between two rows, in bytes.
        public var bytesPerLine = 0
        /// The samples, rows padded to `bytesPerLine`.
        public var bytes: [UInt8] = []
    }

    /// The width in pixels.
    public var width = 0
    /// The height in pixels.
    public var height = 0
    /// log2 of the number of pixels in a row that share chroma.
    public var xShift = 0
    /// log2 of the number of rows that share chroma.
    public var yShift = 0
    /// Whether there is luma alone.
    public var isGrey = false
    /// The planes of luma, blue difference and red difference; the last two of a grey picture are empty.
    public var planes = [Plane(), Plane(), Plane()]

    /// Creates an empty picture. It keeps its memory when one frame after another is decoded into it.
    public init() {}
}
