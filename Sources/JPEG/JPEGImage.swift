/// Functions for undecoded JPEG images.
public enum JPEGImage {
    /// Returns an image that every viewer can show.
    ///
    /// Any bytes after its end are removed. The Huffman tables that cameras omit from Motion JPEG (ITU-T T.81, K.3.3)
    /// are inserted, unless the image already has tables.
    /// - Throws: `JPEGError.notJPEG`, `.truncated` or `.corrupt`.
    public static func complete(_ bytes: RawSpan) throws(JPEGError) -> [UInt8] {
        let outline = try JPEGOutline(Span<UInt8>(_bytes: bytes))
        return unsafe bytes.withUnsafeBytes { buffer in
            let image = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<outline.length])
            guard !outline.hasHuffmanTables else { return unsafe Array(image) }
            // Tables may precede the frame header (B.2.4), and only SOI must come first.
            return unsafe Array(image[..<2]) + HuffmanTables.segment + Array(image[2...])
        }
    }
}
