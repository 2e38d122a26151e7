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

/// The outline of a JPEG image, read from its markers without decoding (ITU-T T.81, annex B).
struct JPEGOutline {
    /// The length of the image in bytes, from its first marker to its last.
    let length: Int
    /// Whether it contains Huffman tables. Most cameras' Motion JPEG does not.
    let hasHuffmanTables: Bool

    private static let prefix: UInt8 = 0xFF
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA
    private static let huffmanTables: UInt8 = 0xC4

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
    /// All four tables as one DHT segment.
    static let segment: [UInt8] = {
        let body =
            table(0x00, [0, 1, 5, 1, 1, 1, 1, 1, 1], Array(0...11))
            + table(0x10, [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], luminanceAC)
            + table(0x01, [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1], Array(0...11))
            + table(0x11, [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], chrominanceAC)
        let length = body.count + 2
        return [0xFF, 0xC4, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }()

    /// Returns a table: its class and destination, the number of codes of each length from 1 to 16, and the symbols
    /// (B.2.4.2).
    private static func table(_ destination: UInt8, _ counts: [UInt8], _ symbols: [UInt8]) -> [UInt8] {
        [destination] + counts + [UInt8](repeating: 0, count: 16 - counts.count) + symbols
    }

    /// The symbols of table K.5.
    private static let luminanceAC: [UInt8] = [
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
        0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
        0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37,
        0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
        0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3,
        0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
        0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
        0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    ]

    /// The symbols of table K.6.
    private static let chrominanceAC: [UInt8] = [
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
        0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
        0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36,
        0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
        0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
        0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A,
        0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA,
        0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
        0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    ]
}
