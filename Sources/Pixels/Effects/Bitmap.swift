/// A picture to work on, in R'G'B' with 8 bits a channel.
///
/// A pixel is four bytes: R, G, B and an unused one (libjpeg-turbo's `TJPF_RGBX`), so that the processor handles it as
/// one word. Rows follow one another from the top without padding.
public struct Bitmap: Sendable {
    /// The permitted widths and heights. JPEG's limit is 65535 (ITU-T T.81, B.2.2).
    public static let sides = 1...65536
    /// The number of bytes in a pixel.
    public static let bytesPerPixel = 4

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The pixels, `bytesPerPixel * width * height` bytes.
    public internal(set) var bytes: [UInt8]

    /// Creates a black picture.
    /// - Returns: Nil if a side is outside of `sides`.
    public init?(width: Int, height: Int) {
        guard let count = Self.byteCount(width: width, height: height) else { return nil }
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 0, count: count)
    }

    /// Creates a picture from its bytes.
    /// - Returns: Nil if a side is outside of `sides`, or if the number of bytes does not match.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        guard Self.byteCount(width: width, height: height) == bytes.count else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Lends the bytes, to draw the pixels.
    public mutating func withMutableBytes<Result, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = bytes.mutableSpan
        return try body(&span)
    }

    private static func byteCount(width: Int, height: Int) -> Int? {
        sides.contains(width) && sides.contains(height) ? bytesPerPixel * width * height : nil
    }
}

extension Bitmap: Equatable {
    /// Returns whether size and colours are equal; the unused bytes do not count.
    public static func == (left: Bitmap, right: Bitmap) -> Bool {
        guard left.width == right.width, left.height == right.height else { return false }
        return zip(left.bytes, right.bytes).enumerated().allSatisfy { index, pair in
            pair.0 == pair.1 || index % bytesPerPixel == 3
        }
    }
}

/// The loops over a bitmap's memory, which contain all unsafe code of the effects.
///
/// They are inlined together with the closure they are given, so that each effect becomes its own loop that the
/// compiler can vectorise. This requires plain arithmetic. If it takes more than a line, it must be in a local function
/// marked `@inline(__always)`, because a long closure remains a call.
extension Bitmap {
    /// Replaces each pixel by its transformation.
    @inline(__always)
    mutating func mapPixels(_ transform: (RGBX) -> RGBX) {
        let count = width * height
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            let pixels = unsafe PixelRow(start: start)
            for index in 0..<count {
                unsafe pixels.store(transform(pixels.load(index)), index)
            }
        }
    }

    /// Replaces each pixel by a transformation that also depends on its column and its row.
    @inline(__always)
    mutating func mapPlacedPixels(_ transform: (RGBX, _ x: UInt32, _ y: UInt32) -> RGBX) {
        let (width, height) = (width, height)
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            for y in 0..<height {
                let row = unsafe PixelRow(start: start + y &* width &* Bitmap.bytesPerPixel)
                for x in 0..<width {
                    unsafe row.store(
                        transform(row.load(x), UInt32(truncatingIfNeeded: x), UInt32(truncatingIfNeeded: y)), x)
                }
            }
        }
    }

    /// Replaces each pixel by a transformation of its own sample and those of its eight neighbours. Beyond an edge, the
    /// nearest pixel counts.
    ///
    /// This happens in place: the samples of the row, of the one above and of the one below are taken before the row is
    /// overwritten.
    @inline(__always)
    mutating func mapNeighborhoods(of sample: (RGBX) -> Int16, _ transform: (Neighborhood) -> RGBX) {
        let (width, height) = (width, height)
        // One more sample at each end, beyond the edge.
        let stride = width + 2
        var samples = [Int16](repeating: 0, count: 3 * stride)
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe bytes.withUnsafeMutableBytes { buffer in
                guard let start = buffer.baseAddress, let first = samples.baseAddress else { return }
                var (above, middle, below) = unsafe (first, first + stride, first + 2 * stride)
                unsafe PixelRow(start: start).copySamples(sample, width, to: middle)
                unsafe above.update(from: middle, count: stride)
                for y in 0..<height {
                    let row = unsafe PixelRow(start: start + y &* width &* Bitmap.bytesPerPixel)
                    if y + 1 < height {
                        let next = unsafe PixelRow(start: row.start + width &* Bitmap.bytesPerPixel)
                        unsafe next.copySamples(sample, width, to: below)
                    } else {
                        unsafe below.update(from: middle, count: stride)
                    }
                    for x in 0..<width {
                        unsafe row.store(transform(Neighborhood(above + x, middle + x, below + x)), x)
                    }
                    unsafe (above, middle, below) = unsafe (middle, below, above)
                }
            }
        }
    }
}

/// The samples of a pixel and its neighbours.
struct Neighborhood {
    let topLeft, top, topRight: Int16
    let left, center, right: Int16
    let bottomLeft, bottom, bottomRight: Int16

    /// Loads the samples from three rows, given as pointers to the left column.
    @inline(__always)
    fileprivate init(
        _ above: UnsafeMutablePointer<Int16>, _ middle: UnsafeMutablePointer<Int16>,
        _ below: UnsafeMutablePointer<Int16>
    ) {
        (topLeft, top, topRight) = unsafe (above[0], above[1], above[2])
        (left, center, right) = unsafe (middle[0], middle[1], middle[2])
        (bottomLeft, bottom, bottomRight) = unsafe (below[0], below[1], below[2])
    }
}

/// A row of pixels in memory, valid while the bitmap's bytes are lent.
@unsafe private struct PixelRow {
    let start: UnsafeMutableRawPointer

    @inline(__always)
    func load(_ index: Int) -> RGBX {
        unsafe RGBX(
            word: UInt32(
                littleEndian: start.loadUnaligned(
                    fromByteOffset: index &* Bitmap.bytesPerPixel, as: UInt32.self)))
    }

    @inline(__always)
    func store(_ pixel: RGBX, _ index: Int) {
        unsafe start.storeBytes(
            of: pixel.word.littleEndian, toByteOffset: index &* Bitmap.bytesPerPixel, as: UInt32.self)
    }

    /// Samples the pixels, and repeats the first and the last sample beyond the ends.
    @inline(__always)
    func copySamples(_ sample: (RGBX) -> Int16, _ width: Int, to samples: UnsafeMutablePointer<Int16>) {
        for x in 0..<width {
            unsafe samples[x &+ 1] = unsafe sample(load(x))
        }
        unsafe samples[0] = unsafe samples[1]
        unsafe samples[width + 1] = unsafe samples[width]
    }
}
