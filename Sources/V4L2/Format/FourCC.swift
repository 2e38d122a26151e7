/// A V4L2 pixel format code: four characters, and bit 31 for "big-endian" (`V4L2_PIX_FMT_*`, `v4l2_fourcc_be`).
public struct FourCC: Hashable, Sendable, RawRepresentable {
    /// The code as the kernel represents it.
    public var rawValue: UInt32

    /// Creates a code from the kernel's representation.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Parses a code as people write it: one to four printable ASCII characters, optionally followed by `-BE` for the
    /// big-endian variant. Nil for anything else.
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
    /// Creates a code from a literal. A literal that is not a valid code becomes 0, which no driver uses.
    public init(stringLiteral value: String) {
        self = FourCC(value) ?? FourCC(rawValue: 0)
    }

    /// The code as people write it, without trailing spaces.
    public var description: String {
        var characters = (0..<4).map { UInt8(truncatingIfNeeded: (rawValue & 0x7FFF_FFFF) >> (8 * $0)) }
        while characters.last == 0x20 { characters.removeLast() }
        let text = characters.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "?" }.joined()
        return rawValue >> 31 == 1 ? text + "-BE" : text
    }
}
