/// Checked access to pictures of one layout, for loops that do not check bounds themselves: the bytes are lent only if
/// all bytes of the rectangle are present.
struct PictureAccess: Sendable {
    let layout: PictureLayout
    /// The pixels that are read.
    let rect: PixelRect
    private let extents: [SampleExtent]
    /// The positions of the rows of each component, which take some time to find.
    private let rows: [ComponentRows]
    private let bytesNeeded: [Int]

    /// Prepares to lend a rectangle of pictures of one layout.
    /// - Returns: Nil if the layout cannot be read, or does not contain the rectangle.
    init?(layout: PictureLayout, rect: PixelRect) {
        guard let extents = layout.extents(), let bytesNeeded = layout.bytesNeeded(for: rect, extents) else {
            return nil
        }
        self.layout = layout
        self.rect = rect
        self.extents = extents
        rows = layout.format.components.map(layout.rows)
        self.bytesNeeded = bytesNeeded
    }

    /// Prepares to lend whole pictures of one layout.
    init?(layout: PictureLayout) {
        self.init(layout: layout, rect: PixelRect(x: 0, y: 0, width: layout.width, height: layout.height))
    }

    /// Lends the bytes of a picture, given as one span for each buffer.
    /// - Returns: Nil if bytes are missing.
    func withBytes<Result>(
        _ first: RawSpan, _ second: RawSpan, _ third: RawSpan, _ body: (PictureBytes) -> Result
    ) -> Result? {
        let counts = [first.byteCount, second.byteCount, third.byteCount]
        guard zip(bytesNeeded, counts).allSatisfy({ $0 <= $1 }) else { return nil }
        // Every index that the loops compute is below `bytesNeeded`, which was computed from the same layout.
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe third.withUnsafeBytes { third in
                    let buffers = unsafe [first.baseAddress, second.baseAddress, third.baseAddress]
                    let picture = unsafe PictureBytes(
                        buffers, layout: layout, extents: extents, rows: rows, rect: rect)
                    return unsafe picture.map { unsafe body($0) }
                }
            }
        }
    }
}

/// The bytes of a picture on loan. The creator guarantees as many bytes as the layout needs for the rectangle.
@unsafe struct PictureBytes {
    let layout: PictureLayout
    let extents: [SampleExtent]
    let rect: PixelRect
    private let rows: [ComponentRows]
    /// The start of each component's buffer.
    private let bases: [UnsafeRawPointer]

    /// Creates access to a picture.
    /// - Parameter buffers: The start of each buffer.
    /// - Returns: Nil if the layout has more buffers.
    init?(
        _ buffers: [UnsafeRawPointer?], layout: PictureLayout, extents: [SampleExtent], rows: [ComponentRows],
        rect: PixelRect
    ) {
        unsafe self.layout = layout
        unsafe self.extents = extents
        unsafe self.rect = rect
        unsafe self.rows = rows
        unsafe bases = unsafe rows.compactMap { unsafe buffers[$0.buffer] }
        guard unsafe bases.count == rows.count else { return nil }
    }

    /// Returns the start of the row with a component's samples for row `y` of the picture.
    func row(_ y: Int, ofComponent index: Int) -> UnsafeRawPointer {
        unsafe bases[index] + rows[index].start(ofRow: min(y, extents[index].lastRow))
    }
}
