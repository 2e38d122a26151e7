package import FoundationEssentials
import Glibc

/// Limits on JSON text from outside, such as the body of a request.
///
/// The text is checked byte by byte before anything is decoded. Foundation's decoder takes time that grows with the
/// square of the depth, and creates an error for each type that a value turns out not to be. Comparing two strings
/// takes time that grows with the square of the number of consecutive combining marks, which have to be sorted.
package enum JSONLimits {
    /// The maximum nesting depth of arrays and objects. The API's own requests need three.
    package static let maxDepth = 8
    /// The maximum number of values, including names. The API's own requests need ten.
    package static let maxValues = 1_000
    /// The maximum number of scalars in a string or a name. The longest needed, a camera's name, has up to 255.
    package static let maxStringLength = 255
    /// The maximum number of bytes of one scalar: two escapes of six bytes each for a scalar beyond U+FFFF.
    private static let maxScalarLength = 12

    /// Returns whether a text keeps to the limits.
    ///
    /// Except for its encoding, the text is not validated as JSON. RFC 8259, 8.1 requires UTF-8; the decoder also
    /// accepts UTF-16 and UTF-32, which are recognised by their zero bytes and refused.
    /// - Parameters:
    ///   - maxValues: The maximum number of values, unless it is that of a request.
    ///   - maxStringLength: The maximum number of scalars in a string, unless it is that of a request.
    package static func allows(
        _ json: Data, maxValues: Int = maxValues, maxStringLength: Int = maxStringLength
    ) -> Bool {
        var depth = 0
        var values = 1
        var bytes = json.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case 0: return false
            case UInt8(ascii: "\""):
                guard allowsString(&bytes, maxStringLength) else { return false }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): values += 1
            default: break
            }
            guard depth <= maxDepth, values <= maxValues else { return false }
        }
        return true
    }

    /// Reads a string up to its closing quotation mark or the end of the text, and returns whether it is short enough.
    /// An escape counts as the character that it stands for (RFC 8259, 7).
    private static func allowsString(_ bytes: inout Data.Iterator, _ maxLength: Int) -> Bool {
        var scalars = 0
        // The bytes are limited too, because unpaired high surrogates and stray continuation bytes do not count as
        // scalars. Only the decoder refuses them.
        var room = maxScalarLength * maxLength + 1  // the quotation mark
        // The digits of \uXXXX read so far, while more may follow. They are not skipped unread: a text with fewer than
        // four is not JSON, but the decoder detects that only after it has searched for all brackets.
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
            // The second and later bytes of a scalar.
            case 0x80...0xbf: break
            default: scalars += 1
            }
            guard scalars <= maxLength else { return false }
        }
        return true
    }

    /// Returns whether four digits are the first half of a surrogate pair, which counts as one scalar with the second.
    private static func beginsPair(_ digits: [UInt8]) -> Bool {
        guard digits.count == 4, let unit = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return false
        }
        return 0xd800...0xdbff ~= unit
    }
}
