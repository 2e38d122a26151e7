/// How a sample is cut out of memory.
protocol SampleWord {
    /// The word of the sample at a place in a row, its lowest `shift` bits and all above `mask` removed.
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int
}

/// A whole byte.
enum WholeByte: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        unsafe Int(row.loadUnaligned(fromByteOffset: index, as: UInt8.self))
    }
}

/// Some bits of a byte.
enum PartOfByte: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        unsafe Int((UInt(row.loadUnaligned(fromByteOffset: index, as: UInt8.self)) &>> shift) & mask)
    }
}

/// Some bits of two bytes, the lower first.
enum LittleEndian16: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let word = unsafe row.loadUnaligned(fromByteOffset: index, as: UInt16.self)
        return Int((UInt(UInt16(littleEndian: word)) &>> shift) & mask)
    }
}

/// Some bits of two bytes, the upper first.
enum BigEndian16: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let word = unsafe row.loadUnaligned(fromByteOffset: index, as: UInt16.self)
        return Int((UInt(UInt16(bigEndian: word)) &>> shift) & mask)
    }
}

/// RAW10: of four samples the upper 8 bits, then in one byte the lower 2 of each, the first sample's lowest
/// (MIPI CSI-2, "RAW10"; "10-bit Bayer formats, packed" in the kernel's V4L2 documentation).
enum Packed10: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let group = unsafe row + (index &>> 2) &* 5
        let upper = unsafe group.load(fromByteOffset: index & 3, as: UInt8.self)
        let lower = unsafe group.load(fromByteOffset: 4, as: UInt8.self)
        return Int(upper) << 2 | Int(lower) >> (2 * (index & 3)) & 3
    }

    static func end(ofSampleAt index: Int) -> Int { (index / 4 + 1) * 5 }
}

/// RAW12: of two samples the upper 8 bits, then in one byte the lower 4 of each, the first sample's lowest.
enum Packed12: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let group = unsafe row + (index &>> 1) &* 3
        let upper = unsafe group.load(fromByteOffset: index & 1, as: UInt8.self)
        let lower = unsafe group.load(fromByteOffset: 2, as: UInt8.self)
        return Int(upper) << 4 | Int(lower) >> (4 * (index & 1)) & 15
    }

    static func end(ofSampleAt index: Int) -> Int { (index / 2 + 1) * 3 }
}

/// RAW14: of four samples the upper 8 bits, then in three bytes the lower 6 of each, the first sample's lowest.
enum Packed14: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let group = unsafe row + (index &>> 2) &* 7
        let upper = unsafe group.load(fromByteOffset: index & 3, as: UInt8.self)
        let lower = (4..<7).reduce(0) { bits, byte in
            unsafe bits | Int(group.load(fromByteOffset: byte, as: UInt8.self)) << (8 * (byte - 4))
        }
        return Int(upper) << 6 | lower >> (6 * (index & 3)) & 63
    }

    static func end(ofSampleAt index: Int) -> Int { (index / 4 + 1) * 7 }
}
