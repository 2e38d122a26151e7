/// An effect that shows how steeply luma changes, in grey; even areas are black.
///
/// Sobel's operator (R. O. Duda, P. E. Hart, "Pattern Classification and Scene Analysis", 1973, 7.3): the sum of the
/// absolute gradients along the row and along the column, at most 255. Unlike the root of the sum of squares, it needs
/// no more than 16 bits, at the price that a slanted edge is up to 1.42 times as strong.
struct Edges: Effect {
    let name = "edges"
    let title = "Edges"
    let summary = "Outlines: the more abruptly lightness changes, the brighter the pixel."

    func apply(to bitmap: inout Bitmap) {
        @inline(__always)
        func edge(_ near: Neighborhood) -> RGBX {
            // Each gradient lies within -1020...1020, so nothing overflows.
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
