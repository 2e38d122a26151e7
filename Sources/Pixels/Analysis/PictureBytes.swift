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
    init?(_ buffers: [UnsafeRawPointer?], layout: PictureLayout, extents: [SampleExtent], rect: PixelRect) {
        unsafe self.layout = layout
        unsafe self.extents = extents
        unsafe self.rect = rect
        let rows = layout.format.components.map(layout.rows)
        unsafe self.rows = rows
        unsafe bases = unsafe rows.compactMap { unsafe buffers[$0.buffer] }
        guard unsafe bases.count == rows.count else { return nil }
    }

    /// Returns the start of the row with a component's samples for row `y` of the picture.
    func row(_ y: Int, ofComponent index: Int) -> UnsafeRawPointer {
        unsafe bases[index] + rows[index].start(ofRow: min(y, extents[index].lastRow))
    }
}
