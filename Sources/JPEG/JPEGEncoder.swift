import CTurboJPEG

/// Encodes pictures as JPEG. For one thread at a time.
@safe public struct JPEGEncoder: ~Copyable {
    /// The bytes of a pixel, as they lie in memory; X means nothing.
    public enum PixelOrder: Sendable {
        case rgb, bgr, rgbx, bgrx, xrgb, xbgr

        /// 3 or 4.
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

    // Made, used and destroyed by this type alone.
    private let handle: tjhandle

    /// Makes an encoder.
    /// - Throws: `JPEGError.corrupt` if memory is short.
    public init() throws(JPEGError) {
        guard let handle = unsafe tjInitCompress() else { throw .corrupt("libjpeg-turbo does not start") }
        unsafe self.handle = unsafe handle
    }

    deinit {
        _ = unsafe tjDestroy(handle)
    }

    /// Encodes pixels, with chroma shared by two by two of them.
    /// - Parameters:
    ///   - pixels: A byte a channel, in this order.
    ///   - bytesPerLine: From row to row.
    ///   - width: In pixels.
    ///   - height: In pixels.
    ///   - quality: libjpeg's, 1...100; what lies outside is brought inside.
    /// - Throws: `JPEGError.unsupported` if bytes are missing or the size is none that JPEG has.
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

    /// Encodes planes of Y'CbCr of full range with the matrix of BT.601, as they are (JFIF 1.02, section 7).
    /// - Parameters:
    ///   - planes: Luma, blue difference, red difference; each chroma sample has all of its luma samples, at odd sizes
    ///     too. Of a picture without chroma the last two are not read.
    ///   - bytesPerLine: From row to row of each.
    ///   - width: Of the picture, in pixels.
    ///   - height: Of the picture, in pixels.
    ///   - chromaShifts: log2 of the number of pixels that share chroma, in a row and in a column; nil: there is none.
    ///   - quality: libjpeg's, 1...100; what lies outside is brought inside.
    /// - Throws: `JPEGError.unsupported` if bytes are missing or JPEG has no such size or subsampling.
    public borrowing func encode(
        _ planes: (RawSpan, RawSpan, RawSpan), bytesPerLine: [Int], width: Int, height: Int,
        chromaShifts: (x: Int, y: Int)?, quality: Int
    ) throws(JPEGError) -> [UInt8] {
        guard let subsampling = ChromaSubsampling.subsampling(of: chromaShifts) else {
            throw .unsupported("chroma shared in a way that JPEG does not know")
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
                        // Of planes that are not read, any number may stand there.
                        var strides = bytesPerLine.map { Int32(clamping: $0) }
                        return unsafe tjCompressFromYUVPlanes(
                            handle, &pointers, Int32(width), &strides, Int32(height), subsampling, &output, &size,
                            Self.clamped(quality), TJFLAG_NOREALLOC)
                    }
                }
            }
        }
    }

    /// Has libjpeg-turbo write into memory of ours, large enough for the worst of pictures: it takes none itself.
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
        guard status == 0 else { throw .corrupt(unsafe String(cString: tjGetErrorStr2(handle))) }
        return image
    }

    /// - Parameter isWhole: Whether the picture has the bytes for its size; asked of a size that there can be.
    private static func check(width: Int, height: Int, has isWhole: () -> Bool) throws(JPEGError) {
        // 16 bits each (ITU-T T.81, B.2.2); libjpeg itself stops at 65500.
        guard (1...65500).contains(width), (1...65500).contains(height), isWhole() else {
            throw .unsupported("a picture of \(width) x \(height) pixels with the bytes that it has")
        }
    }

    /// What there may be from row to row: libjpeg-turbo counts in 32 bits.
    private static func strides(from row: Int) -> ClosedRange<Int> { row...Int(Int32.max) }

    private static func clamped(_ quality: Int) -> Int32 { Int32(min(max(quality, 1), 100)) }
}
