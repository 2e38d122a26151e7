import CTurboJPEG

/// Decodes JPEG frames into planes, as they are stored: no conversion to RGB.
///
/// Each frame has a libjpeg-turbo of its own: a used one keeps the Huffman tables of earlier frames, and after an error
/// in a header it goes on where it failed, in every later frame too (2.1.5). Making one costs microseconds.
public enum JPEGDecoder {
    /// Decodes a frame.
    /// - Parameters:
    ///   - bytes: The frame; what lies behind its end is ignored.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    ///   - image: Takes the picture. After an error its content means nothing.
    /// - Throws: `JPEGError`; nothing is decoded, and no memory is taken, if the frame has another size.
    public static func decode(
        _ bytes: RawSpan, width: Int, height: Int, into image: inout PlanarImage
    ) throws(JPEGError) {
        let length = try JPEGFrame.length(of: Span<UInt8>(_bytes: bytes))
        guard let handle = unsafe tjInitDecompress() else { throw .corrupt("libjpeg-turbo does not start") }
        defer { _ = unsafe tjDestroy(handle) }
        let problem = unsafe bytes.withUnsafeBytes { buffer -> JPEGError? in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return .notJPEG }
            return unsafe decode(start, UInt(length), by: handle, width: width, height: height, into: &image)
        }
        if let problem { throw problem }
    }

    private static func decode(
        _ start: UnsafePointer<UInt8>, _ length: UInt, by handle: tjhandle, width: Int, height: Int,
        into image: inout PlanarImage
    ) -> JPEGError? {
        var (columns, rows, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard unsafe tjDecompressHeader3(handle, start, length, &columns, &rows, &subsampling, &space) == 0 else {
            return unsafe .corrupt(message(of: handle))
        }
        guard Int(columns) == width, Int(rows) == height else {
            return .unsupported("\(columns) x \(rows) pixels where \(width) x \(height) were negotiated")
        }
        guard space == TJCS_YCbCr.rawValue || space == TJCS_GRAY.rawValue, let shape = Shape(subsampling) else {
            return .unsupported("color space \(space), subsampling \(subsampling)")
        }
        image.prepare(width: width, height: height, subsampling: subsampling, shape: shape)
        let status = unsafe image.withPlanePointers { planes, strides in
            unsafe tjDecompressToYUVPlanes(handle, start, length, planes, columns, strides, rows, TJFLAG_LIMITSCANS)
        }
        return unsafe status == 0 || isHarmless(handle) ? nil : .corrupt(message(of: handle))
    }

    private static func message(of handle: tjhandle) -> String { unsafe String(cString: tjGetErrorStr2(handle)) }

    /// Many webcams leave stray bytes before the end of the image: the picture is whole.
    private static func isHarmless(_ handle: tjhandle) -> Bool {
        unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue
            && message(of: handle).contains("extraneous bytes before marker 0xd9")
    }
}

/// How chroma is shared.
struct Shape: Equatable {
    var xShift: Int
    var yShift: Int
    var isGrey = false

    init?(_ subsampling: Int32) {
        switch subsampling {
        case Int32(TJSAMP_444.rawValue): (xShift, yShift) = (0, 0)
        case Int32(TJSAMP_422.rawValue): (xShift, yShift) = (1, 0)
        case Int32(TJSAMP_420.rawValue): (xShift, yShift) = (1, 1)
        case Int32(TJSAMP_440.rawValue): (xShift, yShift) = (0, 1)
        case Int32(TJSAMP_411.rawValue): (xShift, yShift) = (2, 0)
        case Int32(TJSAMP_GRAY.rawValue): (xShift, yShift, isGrey) = (0, 0, true)
        default: return nil
        }
    }
}

extension PlanarImage {
    /// Makes room; memory that is large enough is kept.
    fileprivate mutating func prepare(width: Int, height: Int, subsampling: Int32, shape: Shape) {
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
    fileprivate mutating func withPlanePointers(
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
