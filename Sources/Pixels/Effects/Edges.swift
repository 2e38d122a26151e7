/// How steeply luma changes, in grey: 0 where it is even.
///
/// The operator of Sobel (R. O. Duda, P. E. Hart, "Pattern Classification and Scene Analysis", 1973, 7.3): the sum of
/// the absolute values of the gradient along the row and of that along the column, at most 255. Unlike the root of the
/// squares it needs no more than 16 bits, and a slanted edge is at most 1.42 times as strong.
struct Edges: Effect {
    let name = "edges"
    let title = "Edges"
    let summary = "Outlines: the steeper lightness changes, the lighter the pixel."

    func apply(to bitmap: inout Bitmap) {
        @inline(__always)
        func edge(_ near: Neighborhood) -> RGBX {
            // Within -1020...1020 each: nothing overflows.
            let alongRow =
                (near.topRight &+ 2 &* near.right &+ near.bottomRight)
                &- (near.topLeft &+ 2 &* near.left &+ near.bottomLeft)
            let alongColumn =
                (near.bottomLeft &+ 2 &* near.bottom &+ near.bottomRight)
                &- (near.topLeft &+ 2 &* near.top &+ near.topRight)
            let steepness = min(max(alongRow, 0 &- alongRow) &+ max(alongColumn, 0 &- alongColumn), 255)
            return RGBX(grey: UInt32(truncatingIfNeeded: steepness))
        }
        bitmap.mapNeighborhoods(of: { Int16(truncatingIfNeeded: $0.luma) }, edge)
    }
}
