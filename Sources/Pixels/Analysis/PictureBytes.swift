/// The bytes of a picture on loan, at least as many as its layout needs for a rectangle: who makes one has seen to it.
@unsafe struct PictureBytes {
    let layout: PictureLayout
    let extents: [Extent]
    let rect: PixelRect
    private let rows: [ComponentRows]
    /// The buffer of each component.
    private let bases: [UnsafeRawPointer]

    /// - Parameter buffers: Where each buffer begins.
    /// - Returns: Nil if the picture has more buffers.
    init?(_ buffers: [UnsafeRawPointer?], layout: PictureLayout, extents: [Extent], rect: PixelRect) {
        unsafe self.layout = layout
        unsafe self.extents = extents
        unsafe self.rect = rect
        let rows = layout.format.components.map(layout.rows)
        unsafe self.rows = rows
        unsafe bases = unsafe rows.compactMap { unsafe buffers[$0.buffer] }
        guard unsafe bases.count == rows.count else { return nil }
    }

    /// Where the row begins that has a component's samples for row `y` of the picture.
    func row(_ y: Int, ofComponent index: Int) -> UnsafeRawPointer {
        unsafe bases[index] + rows[index].start(ofRow: min(y, extents[index].lastRow))
    }
}
