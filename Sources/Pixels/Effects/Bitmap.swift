/// A picture of one's own to work on: R'G'B', 8 bits a channel.
///
/// A pixel is four bytes, R, G, B and one that means nothing (libjpeg-turbo's `TJPF_RGBX`), so that it is one word to
/// the processor. Rows follow one another from the top without padding.
public struct Bitmap: Sendable {
    /// The width and the height that there can be. JPEG's limit is 65535 (ITU-T T.81, B.2.2).
    public static let sides = 1...65536
    /// Bytes to a pixel.
    public static let bytesPerPixel = 4

    /// Number of columns.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// The pixels, `bytesPerPixel * width * height` bytes.
    public internal(set) var bytes: [UInt8]

    /// A black picture.
    /// - Returns: Nil if a side is outside of `sides`.
    public init?(width: Int, height: Int) {
        guard let count = Self.byteCount(width: width, height: height) else { return nil }
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 0, count: count)
    }

    /// A picture of the bytes that there are.
    /// - Returns: Nil if a side is outside of `sides`, or if it takes more or fewer bytes.
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
    /// Whether size and colours are equal; what is in the bytes that mean nothing does not count.
    public static func == (left: Bitmap, right: Bitmap) -> Bool {
        guard left.width == right.width, left.height == right.height else { return false }
        return zip(left.bytes, right.bytes).enumerated().allSatisfy { index, pair in
            pair.0 == pair.1 || index % bytesPerPixel == 3
        }
    }
}
