import CTurboJPEG

extension PlanarImage {
    /// Makes room; memory that is large enough is kept.
    mutating func prepare(width: Int, height: Int, subsampling: Int32, shape: ChromaSubsampling) {
        (self.width, self.height) = (width, height)
        (xShift, yShift, isGrey) = (shape.xShift, shape.yShift, shape.isGrey)
        for index in planes.indices {
            let isUsed = index == 0 || !shape.isGrey
            let component = Int32(index)
            // Padded by libjpeg-turbo's own rule: whole groups of pixels that share chroma.
            let stride = isUsed ? Int(tjPlaneWidth(component, Int32(width), subsampling)) : 0
            let rows = isUsed ? Int(tjPlaneHeight(component, Int32(height), subsampling)) : 0
            planes[index].bytesPerLine = stride
            if planes[index].bytes.count != stride * rows {
                planes[index].bytes = [UInt8](repeating: 0, count: stride * rows)
            }
        }
    }

    /// Lends the planes as libjpeg-turbo wants them.
    mutating func withPlanePointers(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int32>) -> Int32
    ) -> Int32 {
        var strides = planes.map { Int32($0.bytesPerLine) }
        var (first, second, third) = (planes[0].bytes, planes[1].bytes, planes[2].bytes)
        // Nobody else may hold the arrays, or writing would copy them.
        for index in planes.indices { planes[index].bytes = [] }
        let status = unsafe first.withUnsafeMutableBufferPointer { first in
            unsafe second.withUnsafeMutableBufferPointer { second in
                unsafe third.withUnsafeMutableBufferPointer { third in
                    var pointers = unsafe [first.baseAddress, second.baseAddress, third.baseAddress]
                    return unsafe body(&pointers, &strides)
                }
            }
        }
        (planes[0].bytes, planes[1].bytes, planes[2].bytes) = (first, second, third)
        return status
    }
}
