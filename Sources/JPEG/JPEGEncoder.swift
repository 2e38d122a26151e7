import CTurboJPEG

/// An encoder of JPEG pictures, for one thread at a time.
@safe public struct JPEGEncoder: ~Copyable {
    /// The order of a pixel's bytes in memory; X is unused.
    public enum PixelOrder: Sendable {
        case rgb, bgr, rgbx, bgrx, xrgb, xbgr

        /// The number of bytes in a pixel, 3 or 4.
        public var bytesPerPixel: Int { self == .rgb || self == .bgr ? 3 : 4 }

        fileprivate var format: TJPF {
            switch self {
            case .rgb: TJPF_RGB
            case .bgr: TJPF_BGR
            case .rgbx: TJPF_RGBX
            case .bgrx: TJPF_BGRX
            case .xrgb: TJPF_XRGB
            case .xbgr: TJPF_XBGR
            }
        }
    }

    // Only this type creates, uses and destroys the handle.
    private let handle: tjhandle

    /// Creates an encoder.
    /// - Throws: `JPEGError.failed` if memory is exhausted.
    public init() throws(JPEGError) {
        guard let handle = unsafe tjInitCompress() else { throw .notStarted }
        unsafe self.handle = unsafe handle
    }

    deinit {
        _ = unsafe tjDestroy(handle)
    }

    /// Encodes pixels, with one chroma sample for each block of 2 x 2 pixels (4:2:0).
    /// - Parameters:
    ///   - pixels: The pixels, with one byte for each channel in the given order.
    ///   - bytesPerLine: The distance between two rows, in bytes.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - quality: libjpeg's quality, clamped to 1...100.
    /// - Throws: `JPEGError.unsupported` if bytes are missing or a side is outside 1...65500, `.failed` if
    ///   libjpeg-turbo fails.
    public borrowing func encode(
        _ pixels: RawSpan, order: PixelOrder, bytesPerLine: Int, width: Int, height: Int, quality: Int
    ) throws(JPEGError) -> [UInt8] {
        try Self.check(width: width, height: height) {
            let row = width * order.bytesPerPixel
            return Self.strides(from: row).contains(bytesPerLine)
                && pixels.byteCount >= (height - 1) * bytesPerLine + row
        }
        let subsampling = Int32(TJSAMP_420.rawValue)
        return try unsafe encode(width: width, height: height, subsampling: subsampling) { output, size in
            unsafe pixels.withUnsafeBytes { pixels in
                unsafe tjCompress2(
                    handle, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(bytesPerLine),
                    Int32(height), Int32(order.format.rawValue), &output, &size, subsampling, Self.clamped(quality),
                    TJFLAG_NOREALLOC)
            }
        }
    }

    /// Encodes planes of full-range Y'CbCr with the matrix of BT.601 without conversion (JFIF 1.02, section 7).
    /// - Parameters:
    ///   - planes: Luma, blue difference and red difference. At odd sizes, luma must be padded, so that each chroma
    ///     sample has all of its luma samples. The last two are not read if there is no chroma.
    ///   - bytesPerLine: The distance between two rows of each plane, in bytes.
    ///   - width: The width of the picture in pixels.
    ///   - height: The height of the picture in pixels.
    ///   - chromaShifts: log2 of the number of pixels that share chroma, in a row and in a column; nil if there is no
    ///     chroma.
    ///   - quality: libjpeg's quality, clamped to 1...100.
    /// - Throws: `JPEGError.unsupported` if bytes are missing, a side is outside 1...65500, or JPEG does not have this
    ///   subsampling; `.failed` if libjpeg-turbo fails.
    public borrowing func encode(
        _ planes: (RawSpan, RawSpan, RawSpan), bytesPerLine: [Int], width: Int, height: Int,
        chromaShifts: (x: Int, y: Int)?, quality: Int
    ) throws(JPEGError) -> [UInt8] {
        guard let subsampling = ChromaSubsampling(shifts: chromaShifts)?.number else {
            throw .unsupported("a chroma subsampling that JPEG does not have")
        }
        let counts = [planes.0.byteCount, planes.1.byteCount, planes.2.byteCount]
        try Self.check(width: width, height: height) {
            (0..<(chromaShifts == nil ? 1 : 3)).allSatisfy { index in
                guard bytesPerLine.indices.contains(index) else { return false }
                let columns = Int(tjPlaneWidth(Int32(index), Int32(width), subsampling))
                let rows = Int(tjPlaneHeight(Int32(index), Int32(height), subsampling))
                return columns > 0 && Self.strides(from: columns).contains(bytesPerLine[index])
                    && counts[index] >= (rows - 1) * bytesPerLine[index] + columns
            }
        }
        return try unsafe encode(width: width, height: height, subsampling: subsampling) { output, size in
            unsafe planes.0.withUnsafeBytes { y in
                unsafe planes.1.withUnsafeBytes { cb in
                    unsafe planes.2.withUnsafeBytes { cr in
                        var pointers = unsafe [y, cb, cr].map {
                            unsafe $0.baseAddress?.assumingMemoryBound(to: UInt8.self)
                        }
                        // The strides of planes that are not read may be any numbers.
                        var strides = bytesPerLine.map { Int32(clamping: $0) }
                        return unsafe tjCompressFromYUVPlanes(
                            handle, &pointers, Int32(width), &strides, Int32(height), subsampling, &output, &size,
                            Self.clamped(quality), TJFLAG_NOREALLOC)
                    }
                }
            }
        }
    }

    /// Lets libjpeg-turbo write into the result's memory, which is large enough for the worst case, so that it
    /// allocates none itself.
    private borrowing func encode(
        width: Int, height: Int, subsampling: Int32,
        by compress: (inout UnsafeMutablePointer<UInt8>?, inout UInt) -> Int32
    ) throws(JPEGError) -> [UInt8] {
        let capacity = Int(tjBufSize(Int32(width), Int32(height), subsampling))
        var status: Int32 = -1
        let image = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var output = buffer.baseAddress
            var size = UInt(capacity)
            status = unsafe compress(&output, &size)
            count = status == 0 ? Int(size) : 0
        }
        guard status == 0 else { throw .failed(unsafe String(cString: tjGetErrorStr2(handle))) }
        return image
    }

    /// Checks a picture's size.
    /// - Parameter isWhole: Whether the picture has all bytes for its size; called only for a possible size.
    private static func check(width: Int, height: Int, has isWhole: () -> Bool) throws(JPEGError) {
        // JPEG has 16 bits for each (ITU-T T.81, B.2.2), but libjpeg's limit is 65500.
        guard (1...65500).contains(width), (1...65500).contains(height) else {
            throw .unsupported("a picture of \(width) x \(height) pixels")
        }
        guard isWhole() else {
            throw .unsupported("bytes or rows that do not fit a picture of \(width) x \(height) pixels")
        }
    }

    /// Returns the permitted distances between two rows, which libjpeg-turbo counts in 32 bits.
    private static func strides(from row: Int) -> ClosedRange<Int> { row...Int(Int32.max) }

    private static func clamped(_ quality: Int) -> Int32 { Int32(min(max(quality, 1), 100)) }
}
