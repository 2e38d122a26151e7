import CTurboJPEG

/// A lossless transform of JPEG images, as libjpeg-turbo calls it: a rotation, perhaps mirrored, that moves the blocks
/// of an image without decoding them.
///
/// Incomplete blocks at the right and lower edges cannot move to the left or the top. If a picture's size is not a
/// multiple of the block size (8, 16 or, with 4:1:1, 32 pixels), such columns or rows are therefore omitted: at most
/// 31.
public struct JPEGTransform: Equatable, Sendable {
    private let operation: TJXOP

    /// Creates a transform.
    /// - Parameters:
    ///   - degreesClockwise: 0, 90, 180 or 270; any other number counts as 0.
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

    /// Returns the rotated and mirrored image.
    /// - Parameters:
    ///   - image: A complete image; see ``JPEGImage/complete(_:)``.
    ///   - width: Its width in pixels, as it was negotiated.
    ///   - height: Its height in pixels, as it was negotiated.
    /// - Throws: `JPEGError`. If the image has another size, no memory is allocated: a few bytes can claim to be 65500
    ///   x 65500 pixels, for which libjpeg-turbo would allocate memory.
    public func apply(to image: [UInt8], width: Int, height: Int) throws(JPEGError) -> [UInt8] {
        guard let handle = unsafe tjInitTransform() else { throw .notStarted }
        defer { _ = unsafe tjDestroy(handle) }
        var (columns, rows, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var status = unsafe image.withUnsafeBufferPointer { image in
            unsafe tjDecompressHeader3(
                handle, image.baseAddress, UInt(image.count), &columns, &rows, &subsampling, &space)
        }
        // A warning leaves the size that was read before it.
        guard status == 0 || columns > 0 else { throw .header(unsafe String(cString: tjGetErrorStr2(handle))) }
        guard Int(columns) == width, Int(rows) == height else {
            throw .otherSize("\(columns) x \(rows) pixels instead of the negotiated \(width) x \(height)")
        }
        var transform = unsafe tjtransform()
        unsafe transform.op = Int32(operation.rawValue)
        unsafe transform.options = TJXOPT_TRIM | TJXOPT_COPYNONE
        // libjpeg-turbo allocates the memory for the output.
        var output: UnsafeMutablePointer<UInt8>?
        defer { unsafe tjFree(output) }
        var size: UInt = 0
        status = unsafe image.withUnsafeBufferPointer { image in
            guard let start = image.baseAddress else { return -1 }
            let status = unsafe tjTransform(
                handle, start, UInt(image.count), 1, &output, &size, &transform, TJFLAG_LIMITSCANS)
            return unsafe status != 0 && isWhole(start, image.count, for: handle) ? 0 : status
        }
        guard status == 0, let output = unsafe output else {
            throw .corrupt(unsafe String(cString: tjGetErrorStr2(handle)))
        }
        return unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }
}
