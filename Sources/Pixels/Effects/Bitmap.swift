/// A picture to work on, in R'G'B' with 8 bits a channel.
///
/// A pixel is four bytes: R, G, B and an unused one (libjpeg-turbo's `TJPF_RGBX`), so that the processor handles it as
/// one word. Rows follow one another from the top without padding.
public struct Bitmap: Sendable {
    /// The permitted widths and heights. JPEG's limit is 65535 (ITU-T T.81, B.2.2).
    public static let sides = 1...65536
    /// The number of bytes in a pixel.
    public static let bytesPerPixel = 4

    /// The number of columns.
    public let width: Int
    /// The number of rows.
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
