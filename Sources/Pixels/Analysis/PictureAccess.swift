/// Checked access to pictures of one layout, for loops that do not check bounds themselves: the bytes are lent only if
/// all bytes of the rectangle are present.
///
/// It is a class so that passing it on takes no time, which matters for many small regions.
final class PictureAccess: Sendable {
    let layout: PictureLayout
    /// The pixels that are read.
    let rect: PixelRect
    let extents: [SampleExtent]
    /// The positions of the rows of each component, which take some time to find.
    fileprivate let rows: [ComponentRows]
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
    convenience init?(layout: PictureLayout) {
        self.init(layout: layout, rect: PixelRect(x: 0, y: 0, width: layout.width, height: layout.height))
    }

    /// Lends the bytes of a picture, given as one span for each buffer.
    /// - Returns: Nil if bytes are missing.
    func withBytes<Result>(
        _ first: RawSpan, _ second: RawSpan, _ third: RawSpan, _ body: (PictureBytes) -> Result
    ) -> Result? {
        let counts: InlineArray<3, _> = [first.byteCount, second.byteCount, third.byteCount]
        guard bytesNeeded.count <= counts.count, bytesNeeded.indices.allSatisfy({ bytesNeeded[$0] <= counts[$0] })
        else { return nil }
        // Every index that the loops compute is below `bytesNeeded`, which was computed from the same layout.
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe third.withUnsafeBytes { third in
                    guard let base = first.baseAddress else { return nil }
                    // A buffer that is not there is not used.
                    return unsafe body(
                        PictureBytes(self, [base, second.baseAddress ?? base, third.baseAddress ?? base]))
                }
            }
        }
    }
}

/// The bytes of a picture on loan. The creator guarantees as many bytes as the layout needs for the rectangle.
@unsafe struct PictureBytes {
    private let access: PictureAccess
    /// The start of each buffer.
    private let buffers: InlineArray<3, UnsafeRawPointer>

    fileprivate init(_ access: PictureAccess, _ buffers: InlineArray<3, UnsafeRawPointer>) {
        unsafe self.access = access
        unsafe self.buffers = unsafe buffers
    }

    var layout: PictureLayout { unsafe access.layout }
    var extents: [SampleExtent] { unsafe access.extents }
    var rect: PixelRect { unsafe access.rect }

    /// Returns the start of the row with a component's samples for row `y` of the picture.
    @inline(__always)
    func row(_ y: Int, ofComponent index: Int) -> UnsafeRawPointer {
        let rows = unsafe access.rows[index]
        return unsafe buffers[rows.buffer] + rows.start(ofRow: min(y, extents[index].lastRow))
    }
}
