extension Orientation {
    /// Rotates and mirrors a bitmap.
    /// - Parameters:
    ///   - bitmap: The picture as the camera sends it.
    ///   - oriented: Receives the oriented picture; its memory is reallocated only if its size changes.
    public func apply(to bitmap: Bitmap, into oriented: inout Bitmap) {
        let rotation = PlaneRotation(self, width: bitmap.width, height: bitmap.height)
        if oriented.width != rotation.columns || oriented.height != rotation.rows {
            // This cannot fail, because the sides are those of a bitmap.
            guard let fresh = Bitmap(width: rotation.columns, height: rotation.rows) else { return }
            oriented = fresh
        }
        rotation.copy(
            bitmap.bytes, as: UInt32.self, perLine: bitmap.width, into: &oriented.bytes, perLine: oriented.width)
    }

    /// Rotates and mirrors a picture as JPEG files store it.
    ///
    /// Chroma turns with its plane: 4:2:2 becomes 4:4:0 when turned on its side, because chroma shared by two columns
    /// is then shared by two rows. In a picture of odd size, an incomplete cell that moves to the left or the top
    /// becomes complete there, which moves chroma by one pixel towards the other edge.
    /// - Parameters:
    ///   - planes: The picture as the camera sends it.
    ///   - oriented: Receives the oriented picture; its memory is reallocated only if its size changes.
    public func apply(to planes: JFIFPlanes, into oriented: inout JFIFPlanes) {
        let luma = PlaneRotation(self, width: planes.width, height: planes.height)
        let (xShift, yShift) = swapsSides ? (planes.yShift, planes.xShift) : (planes.xShift, planes.yShift)
        oriented.reshape(
            width: luma.columns, height: luma.rows, xShift: xShift, yShift: yShift, isGrey: planes.isGrey)
        for index in planes.planes.indices {
            let plane = planes.planes[index]
            let rotation = index == 0 ? luma : PlaneRotation(self, width: plane.bytesPerLine, height: plane.rows)
            rotation.copy(
                plane.bytes, as: UInt8.self, perLine: plane.bytesPerLine, into: &oriented.planes[index].bytes,
                perLine: oriented.planes[index].bytesPerLine)
        }
        oriented.planes[0].repeatEdges(width: luma.columns, height: luma.rows)
    }
}
