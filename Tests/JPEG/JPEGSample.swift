import CTurboJPEG

/// A JPEG image, made by libjpeg-turbo of planes with one value each.
struct JPEGSample {
    static let subsamplings = [
        TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY,
    ].map { Int32($0.rawValue) }

    var bytes: [UInt8]

    init(width: Int32 = 64, height: Int32 = 48, subsampling: Int32, y: UInt8, cb: UInt8 = 128, cr: UInt8 = 128) {
        let components = subsampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3
        var planes = (0..<components).map { index in
            let component = Int32(index)
            let size = tjPlaneWidth(component, width, subsampling) * tjPlaneHeight(component, height, subsampling)
            return [UInt8](repeating: [y, cb, cr][index], count: Int(size))
        }
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let handle = unsafe tjInitCompress()
        var empty: [UInt8] = []
        let first = planes.removeFirst()
        let second = planes.isEmpty ? empty : planes.removeFirst()
        let third = planes.isEmpty ? empty : planes.removeFirst()
        empty = []
        unsafe first.withUnsafeBufferPointer { first in
            unsafe second.withUnsafeBufferPointer { second in
                unsafe third.withUnsafeBufferPointer { third in
                    var pointers = unsafe [first.baseAddress, second.baseAddress, third.baseAddress]
                    _ = unsafe tjCompressFromYUVPlanes(
                        handle, &pointers, width, nil, height, subsampling, &output, &size, 90, 0)
                }
            }
        }
        bytes = unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
        unsafe tjFree(output)
        _ = unsafe tjDestroy(handle)
    }
}
