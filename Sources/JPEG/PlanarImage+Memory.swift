import CTurboJPEG

extension PlanarImage {
    /// Allocates room for a picture; memory of the right size is kept.
    /// - Parameter tjSubsampling: The subsampling as libjpeg-turbo numbers it.
    mutating func prepare(width: Int, height: Int, as subsampling: ChromaSubsampling, _ tjSubsampling: Int32) {
        (self.width, self.height) = (width, height)
        (xShift, yShift, isGrey) = (subsampling.xShift, subsampling.yShift, subsampling.isGrey)
        for index in planes.indices {
            let isUsed = index == 0 || !subsampling.isGrey
            let component = Int32(index)
            // Planes are padded as libjpeg-turbo requires, to whole groups of pixels that share chroma.
            let stride = isUsed ? Int(tjPlaneWidth(component, Int32(width), tjSubsampling)) : 0
            let rows = isUsed ? Int(tjPlaneHeight(component, Int32(height), tjSubsampling)) : 0
            planes[index].bytesPerLine = stride
            if planes[index].bytes.count != stride * rows {
                planes[index].bytes = [UInt8](repeating: 0, count: stride * rows)
            }
        }
    }

    /// Lends the planes in the form that libjpeg-turbo requires.
    mutating func withPlanePointers(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int32>) -> Int32
    ) -> Int32 {
        var strides = planes.map { Int32($0.bytesPerLine) }
        var (first, second, third) = (planes[0].bytes, planes[1].bytes, planes[2].bytes)
        // There must be no second reference to the arrays, or writing would copy them.
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
