/// JPEG images as they are, undecoded.
public enum JPEGImage {
    /// The image alone, ready for every viewer: what lies behind its end is cut off, and the Huffman tables that cameras
    /// leave out of Motion JPEG are put in (ITU-T T.81, K.3.3). An image that has some is not touched.
    /// - Throws: `JPEGError.notJPEG`, `.truncated` or `.corrupt`.
    public static func complete(_ bytes: RawSpan) throws(JPEGError) -> [UInt8] {
        let frame = try JPEGFrame(Span<UInt8>(_bytes: bytes))
        return unsafe bytes.withUnsafeBytes { buffer in
            let image = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<frame.length])
            guard !frame.hasHuffmanTables else { return unsafe Array(image) }
            // Tables may stand before the header of the frame (B.2.4), and nothing but SOI has to be first.
            return unsafe Array(image[..<2]) + HuffmanTables.segment + Array(image[2...])
        }
    }
}
