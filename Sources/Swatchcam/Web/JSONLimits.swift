import Foundation

/// What a JSON text from outside may hold. It is checked byte by byte before anything is decoded: Foundation's decoder
/// takes time that grows with the square of the depth, and makes an error for each type that a value is not. Comparing
/// two strings takes time that grows with the square of the combining marks in a row, which it has to sort.
enum JSONLimits {
    /// Arrays and objects in one another. Ours have three.
    static let deepest = 8
    /// Values, names among them. Ours have ten.
    static let mostValues = 1_000
    /// Scalars of a string or a name. The longest that is asked for is a camera's, of 255.
    static let longestString = 255

    /// Whether a text keeps to the limits. Whether it is JSON at all is not checked, but for its encoding: that of
    /// UTF-16 and UTF-32, which the decoder takes too, shows in bytes of zero (RFC 8259, 8.1 asks for UTF-8).
    static func allow(_ json: Data) -> Bool {
        var depth = 0
        var values = 1
        var isInString = false
        var isEscaped = false
        var length = 0
        for byte in json {
            guard byte != 0 else { return false }
            if isInString {
                switch byte {
                case _ where isEscaped: isEscaped = false
                case UInt8(ascii: "\\"): isEscaped = true
                case UInt8(ascii: "\""): isInString = false
                default: break
                }
                // The bytes of a scalar after its first are not counted.
                if byte & 0xc0 != 0x80 { length += 1 }
                guard length <= longestString + 1 else { return false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                length = 0
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
}
