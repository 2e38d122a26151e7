import CTurboJPEG

/// Turns JPEG images without decoding them: their blocks are moved, nothing is lost.
///
/// Blocks at the right and lower edge that are not whole cannot come to lie at the left or the top: of a picture whose
/// size is no multiple of its blocks' (8 or 16), such columns or rows are left away, 15 at most.
public struct JPEGTransform: Equatable, Sendable {
    private let operation: TJXOP

    /// - Parameters:
    ///   - degreesClockwise: 0, 90, 180 or 270; another number is taken for 0.
    ///   - isMirrored: Whether left and right are exchanged, after the rotation.
    public init(degreesClockwise: Int, isMirrored: Bool) {
        switch (degreesClockwise, isMirrored) {
        case (90, false): operation = TJXOP_ROT90
        case (90, true): operation = TJXOP_TRANSPOSE
        case (180, false): operation = TJXOP_ROT180
        case (180, true): operation = TJXOP_VFLIP
        case (270, false): operation = TJXOP_ROT270
        case (270, true): operation = TJXOP_TRANSVERSE
        case (_, false): operation = TJXOP_NONE
        case (_, true): operation = TJXOP_HFLIP
        }
    }

    /// The image, turned.
    /// - Parameters:
    ///   - image: A whole one; see ``JPEGImage/complete(_:)``.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    /// - Throws: `JPEGError`; no memory is taken if the image has another size: a few bytes may well say that they are
    ///   65500 x 65500 pixels, and libjpeg-turbo would make room for them all.
    public func apply(to image: [UInt8], width: Int, height: Int) throws(JPEGError) -> [UInt8] {
        guard let handle = unsafe tjInitTransform() else { throw .corrupt("libjpeg-turbo does not start") }
        defer { _ = unsafe tjDestroy(handle) }
        var (columns, rows, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var status = unsafe image.withUnsafeBufferPointer { image in
            unsafe tjDecompressHeader3(
                handle, image.baseAddress, UInt(image.count), &columns, &rows, &subsampling, &space)
        }
        guard status == 0 else { throw .corrupt(unsafe String(cString: tjGetErrorStr2(handle))) }
        guard Int(columns) == width, Int(rows) == height else {
            throw .unsupported("\(columns) x \(rows) pixels where \(width) x \(height) were negotiated")
        }
        var transform = unsafe tjtransform()
        unsafe transform.op = Int32(operation.rawValue)
        unsafe transform.options = TJXOPT_TRIM | TJXOPT_COPYNONE
        // libjpeg-turbo takes memory for the output itself, and it is given back below.
        var output: UnsafeMutablePointer<UInt8>?
        defer { unsafe tjFree(output) }
        var size: UInt = 0
        status = unsafe image.withUnsafeBufferPointer { image in
            unsafe tjTransform(
                handle, image.baseAddress, UInt(image.count), 1, &output, &size, &transform, TJFLAG_LIMITSCANS)
        }
        guard unsafe status == 0 || isHarmless(handle), let output = unsafe output else {
            throw .corrupt(unsafe String(cString: tjGetErrorStr2(handle)))
        }
        return unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }
}
