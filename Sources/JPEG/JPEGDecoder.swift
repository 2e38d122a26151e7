import CJPEG
import CTurboJPEG

/// A decoder of JPEG frames.
///
/// Each frame gets its own instance of libjpeg-turbo. A reused instance keeps the Huffman tables of earlier frames, and
/// after an error in a header it resumes at the point of failure with every later frame (libjpeg-turbo 2.1.5). Creating
/// an instance takes microseconds.
public enum JPEGDecoder {
    /// Decodes a frame into planes as they are stored, without conversion to RGB.
    /// - Parameters:
    ///   - bytes: The frame; any bytes after its end are ignored.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    ///   - image: Receives the picture. Its content is undefined after an error.
    /// - Throws: `JPEGError`. If the frame has another size, nothing is decoded and no memory is allocated.
    public static func decode(
        _ bytes: RawSpan, width: Int, height: Int, into image: inout PlanarImage
    ) throws(JPEGError) {
        try unsafe open(bytes, width: width, height: height) { frame in
            guard let subsampling = unsafe frame.subsampling else { return unsafe frame.unsupportedColors }
            image.prepare(width: width, height: height, as: subsampling)
            let status = unsafe image.withPlanePointers { planes, strides in
                unsafe tjDecompressToYUVPlanes(
                    frame.handle, frame.start, frame.length, planes, Int32(width), strides, Int32(height),
                    TJFLAG_LIMITSCANS)
            }
            return unsafe frame.problem(status)
        }
    }

    /// Decodes a frame into pixels of R, G, B and an unused byte, in rows without padding.
    /// - Parameters:
    ///   - bytes: The frame; any bytes after its end are ignored.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    ///   - pixels: Receives the 4 * width * height bytes. Their content is undefined after an error. It is not a
    ///     mutable span, because Swift 6.2 accepts none beside another span.
    /// - Throws: `JPEGError`; nothing is decoded if the frame or the target has another size.
    public static func decodeRGBX(
        _ bytes: RawSpan, width: Int, height: Int, into pixels: UnsafeMutableBufferPointer<UInt8>
    ) throws(JPEGError) {
        guard pixels.count == 4 * width * height else { throw .unsupported("a target of \(pixels.count) bytes") }
        try unsafe open(bytes, width: width, height: height) { frame in
            guard unsafe frame.subsampling != nil else { return unsafe frame.unsupportedColors }
            let status = unsafe tjDecompress2(
                frame.handle, frame.start, frame.length, pixels.baseAddress, Int32(width), 0, Int32(height),
                Int32(TJPF_RGBX.rawValue), TJFLAG_LIMITSCANS)
            return unsafe frame.problem(status)
        }
    }

    /// Checks that a frame is whole, by decoding its lightness at an eighth of its size: all of its bits are read, and
    /// little is computed.
    /// - Parameters:
    ///   - bytes: The frame; any bytes after its end are ignored.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    /// - Throws: `JPEGError`, as if the frame were decoded.
    public static func check(_ bytes: RawSpan, width: Int, height: Int) throws(JPEGError) {
        let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
        try unsafe open(bytes, width: width, height: height) { frame in
            guard unsafe frame.subsampling != nil else { return unsafe frame.unsupportedColors }
            var pixels = [UInt8](repeating: 0, count: columns * rows)
            let status = unsafe tjDecompress2(
                frame.handle, frame.start, frame.length, &pixels, Int32(columns), 0, Int32(rows),
                Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS)
            return unsafe frame.problem(status)
        }
    }

    /// Reads a frame's header, and lends the frame if it has the given size.
    private static func open(
        _ bytes: RawSpan, width: Int, height: Int, _ body: (OpenFrame) -> JPEGError?
    ) throws(JPEGError) {
        let length = try JPEGOutline(Span<UInt8>(_bytes: bytes)).length
        guard let handle = unsafe tjInitDecompress() else { throw .notStarted }
        defer { _ = unsafe tjDestroy(handle) }
        let problem = unsafe bytes.withUnsafeBytes { buffer -> JPEGError? in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return .notJPEG }
            var (columns, rows, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            let status = unsafe tjDecompressHeader3(
                handle, start, UInt(length), &columns, &rows, &subsampling, &space)
            let frame = unsafe OpenFrame(
                handle: handle, start: start, length: UInt(length), tjSubsampling: subsampling, space: space)
            // A warning leaves the size that was read before it.
            guard status == 0 || columns > 0 else { return unsafe .header(frame.message) }
            guard Int(columns) == width, Int(rows) == height else {
                return .otherSize("\(columns) x \(rows) pixels instead of the negotiated \(width) x \(height)")
            }
            return unsafe body(frame)
        }
        if let problem { throw problem }
    }
}

/// A frame whose header was read, valid as long as its bytes and its instance of libjpeg-turbo are.
@unsafe private struct OpenFrame {
    let handle: tjhandle
    let start: UnsafePointer<UInt8>
    let length: UInt
    /// The subsampling as libjpeg-turbo numbers it.
    let tjSubsampling: Int32
    let space: Int32

    /// The subsampling; nil for images that cameras do not send. For all others, JFIF (section 7) specifies BT.601 in
    /// full range, and neither EXIF nor Adobe's marker can specify anything else for Y'CbCr.
    var subsampling: ChromaSubsampling? {
        unsafe space == TJCS_YCbCr.rawValue || space == TJCS_GRAY.rawValue
            ? ChromaSubsampling(number: tjSubsampling) : nil
    }

    var unsupportedColors: JPEGError {
        let names = [TJCS_RGB.rawValue: "R'G'B'", TJCS_CMYK.rawValue: "CMYK", TJCS_YCCK.rawValue: "YCCK"]
        return unsafe .unsupported(names[UInt32(space)] ?? "a subsampling that libjpeg-turbo does not know")
    }

    var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }

    /// Returns the error of the frame by the status that libjpeg-turbo has returned for all of it; nil if it is whole.
    func problem(_ status: Int32) -> JPEGError? {
        unsafe status == 0 || isWhole(start, Int(length), for: handle) ? nil : .corrupt(message)
    }
}

/// Returns whether an image that libjpeg-turbo warned of is whole. Many cameras leave stray bytes before markers: one
/// before each restart marker (Logitech C270, C310, C910), one between segments, or padding before the end. A packet
/// that arrived twice, or the end of another frame, leaves hundreds.
func isWhole(_ image: UnsafePointer<UInt8>, _ length: Int, for handle: tjhandle) -> Bool {
    unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue && cjpeg_is_whole(image, length)
}
