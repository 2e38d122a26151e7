import CTurboJPEG

/// Decodes JPEG frames.
///
/// Each frame has a libjpeg-turbo of its own: a used one keeps the Huffman tables of earlier frames, and after an error
/// in a header it goes on where it failed, in every later frame too (2.1.5). Making one costs microseconds.
public enum JPEGDecoder {
    /// Decodes a frame into planes, as they are stored: no conversion to RGB.
    /// - Parameters:
    ///   - bytes: The frame; what lies behind its end is ignored.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    ///   - image: Takes the picture. After an error its content means nothing.
    /// - Throws: `JPEGError`; nothing is decoded, and no memory is taken, if the frame has another size.
    public static func decode(
        _ bytes: RawSpan, width: Int, height: Int, into image: inout PlanarImage
    ) throws(JPEGError) {
        try unsafe open(bytes, width: width, height: height) { frame in
            guard let shape = unsafe frame.shape else { return unsafe frame.isNotYCbCr }
            image.prepare(width: width, height: height, subsampling: unsafe frame.subsampling, shape: shape)
            let status = unsafe image.withPlanePointers { planes, strides in
                unsafe tjDecompressToYUVPlanes(
                    frame.handle, frame.start, frame.length, planes, Int32(width), strides, Int32(height),
                    TJFLAG_LIMITSCANS)
            }
            return unsafe status == 0 || frame.isHarmless ? nil : .corrupt(frame.message)
        }
    }

    /// Decodes a frame into pixels: R, G, B and a byte that means nothing, rows without padding.
    /// - Parameters:
    ///   - bytes: The frame; what lies behind its end is ignored.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    ///   - pixels: Takes them: 4 * width * height bytes. After an error its content means nothing. No span: Swift 6.2
    ///     takes none to write to beside another one.
    /// - Throws: `JPEGError`; nothing is decoded if the frame has another size, or the target.
    public static func decodeRGBX(
        _ bytes: RawSpan, width: Int, height: Int, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) throws(JPEGError) {
        guard pixels.count == 4 * width * height else { throw .unsupported("\(pixels.count) bytes for its pixels") }
        try unsafe open(bytes, width: width, height: height) { frame in
            guard unsafe frame.shape != nil else { return unsafe frame.isNotYCbCr }
            let status = unsafe tjDecompress2(
                frame.handle, frame.start, frame.length, pixels.baseAddress, Int32(width), 0, Int32(height),
                Int32(TJPF_RGBX.rawValue), TJFLAG_LIMITSCANS)
            return unsafe status == 0 || frame.isHarmless ? nil : .corrupt(frame.message)
        }
    }

    /// Reads a frame's header, and lends the frame if it has the size.
    private static func open(
        _ bytes: RawSpan, width: Int, height: Int, _ body: (OpenFrame) -> JPEGError?
    ) throws(JPEGError) {
        let length = try JPEGFrame(Span<UInt8>(_bytes: bytes)).length
        guard let handle = unsafe tjInitDecompress() else { throw .corrupt("libjpeg-turbo does not start") }
        defer { _ = unsafe tjDestroy(handle) }
        let problem = unsafe bytes.withUnsafeBytes { buffer -> JPEGError? in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return .notJPEG }
            var (columns, rows, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            let status = unsafe tjDecompressHeader3(
                handle, start, UInt(length), &columns, &rows, &subsampling, &space)
            let frame = unsafe OpenFrame(
                handle: handle, start: start, length: UInt(length), subsampling: subsampling, space: space)
            guard status == 0 else { return unsafe .corrupt(frame.message) }
            guard Int(columns) == width, Int(rows) == height else {
                return .unsupported("\(columns) x \(rows) pixels where \(width) x \(height) were negotiated")
            }
            return unsafe body(frame)
        }
        if let problem { throw problem }
    }
}

/// A frame whose header was read. Valid while its bytes and its libjpeg-turbo are.
@unsafe private struct OpenFrame {
    let handle: tjhandle
    let start: UnsafePointer<UInt8>
    let length: UInt
    let subsampling: Int32
    let space: Int32

    /// Nil for what cameras do not send. JFIF (section 7) says BT.601 of full range for all others, and neither EXIF
    /// nor Adobe's marker may say anything else of Y'CbCr.
    var shape: ChromaSubsampling? {
        unsafe space == TJCS_YCbCr.rawValue || space == TJCS_GRAY.rawValue ? ChromaSubsampling(subsampling) : nil
    }

    var isNotYCbCr: JPEGError {
        let names = [TJCS_RGB.rawValue: "R'G'B'", TJCS_CMYK.rawValue: "CMYK", TJCS_YCCK.rawValue: "YCCK"]
        return unsafe .unsupported(names[UInt32(space)] ?? "subsampling of a kind that libjpeg-turbo does not name")
    }

    var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }

    var isHarmless: Bool { unsafe JPEG.isHarmless(handle) }
}

/// Whether what libjpeg-turbo warns of is nothing: many webcams leave stray bytes before the end of the image, and the
/// picture is whole.
func isHarmless(_ handle: tjhandle) -> Bool {
    unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue
        && String(cString: tjGetErrorStr2(handle)).contains("extraneous bytes before marker 0xd9")
}
