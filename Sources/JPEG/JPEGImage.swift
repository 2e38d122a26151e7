/// Functions for undecoded JPEG images.
public enum JPEGImage {
    /// Returns an image that every viewer can show.
    ///
    /// Any bytes after its end are removed. The Huffman tables that cameras omit from Motion JPEG (ITU-T T.81, K.3.3)
    /// are inserted, unless the image already has tables.
    /// - Throws: `JPEGError.notJPEG`, `.truncated` or `.corrupt`; `.failed` if memory is exhausted.
    public static func complete(_ bytes: RawSpan) throws(JPEGError) -> [UInt8] {
        let outline = try JPEGOutline(Span<UInt8>(_bytes: bytes))
        let tables = outline.hasHuffmanTables ? [] : try HuffmanTables.segments.get()
        return unsafe bytes.withUnsafeBytes { buffer in
            let image = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<outline.length])
            guard !tables.isEmpty else { return unsafe Array(image) }
            // Tables may precede the frame header (B.2.4), and only SOI must come first.
            return unsafe Array(image[..<2]) + tables + Array(image[2...])
        }
    }
}

/// The outline of a JPEG image, read from its markers without decoding (ITU-T T.81, annex B).
struct JPEGOutline {
    /// The length of the image in bytes, from its first marker to its last.
    let length: Int
    /// Whether it contains Huffman tables. Most cameras' Motion JPEG does not.
    let hasHuffmanTables: Bool

    private static let prefix: UInt8 = 0xFF
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9
    fileprivate static let startOfScan: UInt8 = 0xDA
    fileprivate static let huffmanTables: UInt8 = 0xC4

    /// Reads the outline of an image.
    ///
    /// Some drivers return whole buffers with garbage after the image (v4l2loopback), and others truncate an image
    /// without reporting it (uvcvideo). So the length is found by reading the markers.
    /// - Throws: `.notJPEG`, `.truncated`, or `.corrupt` if a segment has an impossible length.
    init(_ bytes: Span<UInt8>) throws(JPEGError) {
        guard bytes.count >= 4 else { throw bytes.count == 0 ? .notJPEG : .truncated }
        guard bytes[0] == Self.prefix, bytes[1] == Self.startOfImage else { throw .notJPEG }
        var (position, hasTables) = (2, false)
        while true {
            guard let marker = Self.nextMarker(in: bytes, at: &position) else { throw .truncated }
            switch marker {
            case Self.endOfImage:
                length = position
                hasHuffmanTables = hasTables
                return
            // TEM and restart markers have no segment.
            case 0x01, 0xD0...0xD7: continue
            default:
                guard position + 2 <= bytes.count else { throw .truncated }
                let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                guard length >= 2 else { throw .corrupt("a segment with an invalid length") }
                position += length
                if marker == Self.huffmanTables { hasTables = true }
                if marker == Self.startOfScan { Self.skipEntropyCodedData(of: bytes, at: &position) }
            }
        }
    }

    /// Returns the next marker's code and moves `position` past it; returns nil at the end.
    private static func nextMarker(in bytes: Span<UInt8>, at position: inout Int) -> UInt8? {
        // Any number of fill bytes may precede a marker, and cameras leave stray bytes there.
        while position + 1 < bytes.count {
            if bytes[position] == prefix, bytes[position + 1] != 0, bytes[position + 1] != prefix {
                position += 2
                return bytes[position - 1]
            }
            position += 1
        }
        return nil
    }

    /// Moves to the first marker that is not a restart marker. In entropy-coded data, 0 follows every 0xFF.
    private static func skipEntropyCodedData(of bytes: Span<UInt8>, at position: inout Int) {
        while position + 1 < bytes.count {
            if bytes[position] == prefix, bytes[position + 1] != 0, bytes[position + 1] != prefix,
                !(0xD0...0xD7).contains(bytes[position + 1])
            {
                return
            }
            position += 1
        }
    }
}

/// The typical Huffman tables of ITU-T T.81, Annex K.3.3, which Motion JPEG omits.
enum HuffmanTables {
    /// The segments with all four tables, taken from an image that libjpeg-turbo encodes with them.
    static let segments = Result { () throws(JPEGError) in
        let pixel: [UInt8] = [0, 0, 0]
        let image = try JPEGEncoder().encode(
            unsafe pixel.span.bytes, order: .rgb, bytesPerLine: 3, width: 1, height: 1, quality: 100)
        var (segments, position): ([UInt8], Int) = ([], 2)
        while image[position + 1] != JPEGOutline.startOfScan {
            let end = position + 2 + Int(image[position + 2]) << 8 + Int(image[position + 3])
            if image[position + 1] == JPEGOutline.huffmanTables { segments += image[position..<end] }
            position = end
        }
        return segments
    }
}
