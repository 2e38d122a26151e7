extension Orientation {
    /// Turns a picture.
    /// - Parameters:
    ///   - bitmap: As the camera sends it.
    ///   - oriented: Becomes the oriented picture; it keeps its memory if it has the size already.
    public func apply(to bitmap: Bitmap, into oriented: inout Bitmap) {
        let turn = PlaneRotation(self, width: bitmap.width, height: bitmap.height)
        if oriented.width != turn.columns || oriented.height != turn.rows {
            // The sides are those of a bitmap, so there is one.
            guard let fresh = Bitmap(width: turn.columns, height: turn.rows) else { return }
            oriented = fresh
        }
        turn.copy(
            bitmap.bytes, as: UInt32.self, perLine: bitmap.width, into: &oriented.bytes, perLine: oriented.width)
    }

    /// Turns a picture as JPEG files store it.
    ///
    /// Chroma turns with its plane: 4:2:2 on its side is 4:4:0, what two columns shared is then shared by two rows. Of a
    /// picture of an odd size, an incomplete cell that comes to lie at the left or the top gets complete there, and chroma
    /// moves by one pixel toward the other edge.
    /// - Parameters:
    ///   - planes: As the camera sends it.
    ///   - oriented: Becomes the oriented picture; it keeps its memory if it has the size already.
    public func apply(to planes: JFIFPlanes, into oriented: inout JFIFPlanes) {
        let luma = PlaneRotation(self, width: planes.width, height: planes.height)
        let (xShift, yShift) = swapsSides ? (planes.yShift, planes.xShift) : (planes.xShift, planes.yShift)
        oriented.reshape(
            width: luma.columns, height: luma.rows, xShift: xShift, yShift: yShift, isGrey: planes.isGrey)
        for index in planes.planes.indices {
            let plane = planes.planes[index]
            let turn = index == 0 ? luma : PlaneRotation(self, width: plane.bytesPerLine, height: plane.rows)
            turn.copy(
                plane.bytes, as: UInt8.self, perLine: plane.bytesPerLine, into: &oriented.planes[index].bytes,
                perLine: oriented.planes[index].bytesPerLine)
        }
        oriented.planes[0].repeatEdges(width: luma.columns, height: luma.rows)
    }
}
