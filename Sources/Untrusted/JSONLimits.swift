package import Foundation

/// What a JSON text from outside may hold. It is checked byte by byte before anything is decoded: Foundation's decoder
/// takes time that grows with the square of the depth, and makes an error for each type that a value is not. Comparing
/// two strings takes time that grows with the square of the combining marks in a row, which it has to sort.
package enum JSONLimits {
    /// Arrays and objects in one another. Ours have three.
    package static let deepest = 8
    /// Values, names among them. Ours have ten.
    package static let mostValues = 1_000
    /// Scalars of a string or a name. The longest that is asked for is a camera's, of 255.
    package static let longestString = 255
    /// Bytes that one scalar takes at most: two escapes of six, where it is beyond U+FFFF.
    private static let longestScalar = 12

    /// Whether a text keeps to the limits. Whether it is JSON at all is not checked, but for its encoding: that of
    /// UTF-16 and UTF-32, which the decoder takes too, shows in bytes of zero (RFC 8259, 8.1 asks for UTF-8).
    package static func allow(_ json: Data) -> Bool {
        var depth = 0
        var values = 1
        var bytes = json.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case 0: return false
            case UInt8(ascii: "\""):
                guard allowString(&bytes) else { return false }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): values += 1
            default: break
            }
            guard depth <= deepest, values <= mostValues else { return false }
        }
        return true
    }

    /// Reads a string to its closing quotation mark, or to the end of the text if there is none, and tells whether it
    /// is short enough. An escape counts as what it stands for (RFC 8259, 7).
    private static func allowString(_ bytes: inout Data.Iterator) -> Bool {
        var scalars = 0
        // Halves of pairs and continuation bytes that stand alone count as nothing; only the decoder refuses them.
        var room = longestScalar * longestString + 1  // the quotation mark
        // Of \uXXXX: the digits that were read, while there may be more. They are not skipped: without four of them it
        // is not JSON, but the decoder sees that only after it has looked for all brackets.
        var digits: [UInt8]?
        while let byte = bytes.next() {
            room -= 1
            guard room >= 0 else { return false }
            if let read = digits, read.count < 4, isxdigit(Int32(byte)) != 0 {
                digits = read + [byte]
                if beginsPair(read + [byte]) { scalars -= 1 }
                continue
            }
            digits = nil
            switch byte {
            case 0: return false
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                let escaped = bytes.next()
                guard escaped != 0 else { return false }
                room -= 1
                if escaped == UInt8(ascii: "u") { digits = [] }
                scalars += 1
            // The bytes of a scalar after its first.
            case 0x80...0xbf: break
            default: scalars += 1
            }
            guard scalars <= longestString else { return false }
        }
        return true
    }

    /// Whether four digits are those of the first half of a pair, which counts as one with the second.
    private static func beginsPair(_ digits: [UInt8]) -> Bool {
        guard digits.count == 4, let unit = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return false
        }
        return 0xd800...0xdbff ~= unit
    }
}
