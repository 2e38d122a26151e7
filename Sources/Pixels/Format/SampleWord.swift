/// A way in which samples are stored in memory.
protocol SampleWord {
    /// Returns the sample at a place in a row, without the lowest `shift` bits of its word and those above `mask`.
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int

    /// Returns four samples that follow one another, `step` apart. The first is at a multiple of 4 of packed samples.
    static func loadFour(
        _ row: UnsafeRawPointer, at index: Int, step: Int, shift: UInt, mask: UInt
    ) -> (Int, Int, Int, Int)
}

extension SampleWord {
    @inline(__always)
    static func loadFour(
        _ row: UnsafeRawPointer, at index: Int, step: Int, shift: UInt, mask: UInt
    ) -> (Int, Int, Int, Int) {
        unsafe (
            load(row, at: index, shift: shift, mask: mask), load(row, at: index &+ step, shift: shift, mask: mask),
            load(row, at: index &+ 2 &* step, shift: shift, mask: mask),
            load(row, at: index &+ 3 &* step, shift: shift, mask: mask)
        )
    }
}

/// A sample of a whole byte.
enum WholeByte: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        unsafe Int(row.loadUnaligned(fromByteOffset: index, as: UInt8.self))
    }
}

/// A sample of some bits of a byte.
enum PartOfByte: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        unsafe Int((UInt(row.loadUnaligned(fromByteOffset: index, as: UInt8.self)) &>> shift) & mask)
    }
}

/// A sample of some bits of two bytes, the lower byte first.
enum LittleEndian16: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let word = unsafe row.loadUnaligned(fromByteOffset: index, as: UInt16.self)
        return Int((UInt(UInt16(littleEndian: word)) &>> shift) & mask)
    }
}

/// A sample of some bits of two bytes, the upper byte first.
enum BigEndian16: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let word = unsafe row.loadUnaligned(fromByteOffset: index, as: UInt16.self)
        return Int((UInt(UInt16(bigEndian: word)) &>> shift) & mask)
    }
}

/// A sample of RAW10: the upper 8 bits of four samples, then one byte with the lower 2 bits of each, the first sample's
/// lowest (MIPI CSI-2, "RAW10"; "10-bit Bayer formats, packed" in the kernel's V4L2 documentation).
enum Packed10: SampleWord {
    @inline(__always)
    static func load(_ row: UnsafeRawPointer, at index: Int, shift: UInt, mask: UInt) -> Int {
        let group = unsafe row + (index &>> 2) &* 5
        let upper = unsafe group.load(fromByteOffset: index & 3, as: UInt8.self)
        let lower = unsafe group.load(fromByteOffset: 4, as: UInt8.self)
        return Int(upper) << 2 | Int(lower) >> (2 * (index & 3)) & 3
    }

    static func end(ofSampleAt index: Int) -> Int { (index / 4 + 1) * 5 }

    /// Four times as fast as one by one.
    @inline(__always)
    static func loadFour(
        _ row: UnsafeRawPointer, at index: Int, step: Int, shift: UInt, mask: UInt
    ) -> (Int, Int, Int, Int) {
        let group = unsafe row + (index &>> 2) &* 5
        let upper = unsafe Int(UInt32(littleEndian: group.loadUnaligned(as: UInt32.self)))
        let lower = unsafe Int(group.load(fromByteOffset: 4, as: UInt8.self))
        return (
            (upper &<< 2) & 0x3FC | lower & 3, (upper &>> 6) & 0x3FC | (lower &>> 2) & 3,
            (upper &>> 14) & 0x3FC | (lower &>> 4) & 3, (upper &>> 22) & 0x3FC | lower &>> 6
        )
    }
}

/// A sample of RAW12: the upper 8 bits of two samples, then one byte with the lower 4 bits of each, the first sample's
/// lowest.
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

/// A sample of RAW14: the upper 8 bits of four samples, then three bytes with the lower 6 bits of each, the first
/// sample's lowest.
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
