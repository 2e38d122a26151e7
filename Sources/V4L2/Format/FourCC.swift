/// A V4L2 pixel format code: four characters, and bit 31 for "big-endian" (`V4L2_PIX_FMT_*`, `v4l2_fourcc_be`).
public struct FourCC: Hashable, Sendable, RawRepresentable {
    /// The code as the kernel has it.
    public var rawValue: UInt32

    /// The code as the kernel has it.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The code as people write it: one to four printable ASCII characters, padded with spaces, perhaps followed by
    /// `-BE` for the big-endian variant. Nil for anything else.
    public init?(_ text: String) {
        let bigEndian = text.hasSuffix("-BE")
        let characters = Array((bigEndian ? text.dropLast(3) : text[...]).utf8)
        guard (1...4).contains(characters.count), characters.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        rawValue = bigEndian ? 1 << 31 : 0
        for (index, character) in (characters + [0x20, 0x20, 0x20]).prefix(4).enumerated() {
            rawValue |= UInt32(character) << (8 * UInt32(index))
        }
    }
}

extension FourCC: CustomStringConvertible, ExpressibleByStringLiteral {
    /// A code in the source. A literal that is no fourcc gives the code 0, which no driver has.
    public init(stringLiteral value: String) {
        self = FourCC(value) ?? FourCC(rawValue: 0)
    }

    /// As people write it, trailing spaces removed.
    public var description: String {
        var characters = (0..<4).map { UInt8(truncatingIfNeeded: (rawValue & 0x7FFF_FFFF) >> (8 * $0)) }
        while characters.last == 0x20 { characters.removeLast() }
        let text = characters.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "?" }.joined()
        return rawValue >> 31 == 1 ? text + "-BE" : text
    }
}
