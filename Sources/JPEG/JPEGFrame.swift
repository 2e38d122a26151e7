/// The outline of a JPEG image: what its markers say, without decoding (ITU-T T.81, annex B).
struct JPEGFrame {
    /// How long the image is, from its first marker to its last, in bytes.
    let length: Int
    /// Whether it brings Huffman tables along. Most cameras' Motion JPEG does not.
    let hasHuffmanTables: Bool

    private static let prefix: UInt8 = 0xFF
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA
    private static let huffmanTables: UInt8 = 0xC4

    /// Reads the outline.
    ///
    /// Some drivers hand over whole buffers with rubbish behind the image (v4l2loopback), others cut an image short
    /// without a word (uvcvideo): so the length is found, not believed.
    /// - Throws: `.notJPEG`, `.truncated`.
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
            // TEM and restart markers stand alone.
            case 0x01, 0xD0...0xD7: continue
            default:
                guard position + 2 <= bytes.count else { throw .truncated }
                let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                guard length >= 2 else { throw .corrupt("a segment without a length") }
                position += length
                guard position <= bytes.count else { throw .truncated }
                if marker == Self.huffmanTables { hasTables = true }
                if marker == Self.startOfScan { Self.skipEntropyCodedData(of: bytes, at: &position) }
            }
        }
    }

    /// - Returns: The next marker's code, `position` behind it; nil at the end.
    private static func nextMarker(in bytes: Span<UInt8>, at position: inout Int) -> UInt8? {
        // Any number of fill bytes may stand before a marker, and cameras leave stray bytes there.
        while position + 1 < bytes.count {
            if bytes[position] == prefix, bytes[position + 1] != 0, bytes[position + 1] != prefix {
                position += 2
                return bytes[position - 1]
            }
            position += 1
        }
        return nil
    }

    /// Moves to the first marker that is no restart marker. In entropy-coded data 0xFF is followed by 0.
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
