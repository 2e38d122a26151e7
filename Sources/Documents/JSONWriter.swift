package import FoundationEssentials
package import Untrusted

/// A value that can be written as JSON.
package protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

/// A value that is written as a JSON object.
package protocol JSONObject: JSONWritable {
    /// Writes the fields of the object, in the alphabetical order of their keys.
    func writeFields(to json: inout JSONWriter)
}

extension JSONObject {
    package func write(to json: inout JSONWriter) { json.object { writeFields(to: &$0) } }
}

/// A writer of JSON on one line, for documents that are written several times a second: `JSONEncoder` takes ten times
/// as long for them.
///
/// Numbers have the same digits as with `JSONEncoder`. Keys appear as they are written: in alphabetical order, and
/// without characters that JSON escapes.
package struct JSONWriter {
    private static let powersOfTen: [UInt64] = (0..<16).reduce(into: [1]) { powers, _ in
        powers.append(10 * powers[powers.count - 1])
    }

    fileprivate var bytes: [UInt8] = []
    /// Whether a comma precedes the next key or element.
    private var needsComma = false

    package static func data(_ document: some JSONWritable) -> Data {
        var json = JSONWriter()
        json.bytes.reserveCapacity(4096)
        document.write(to: &json)
        return Data(json.bytes)
    }

    package mutating func object(_ fields: (inout JSONWriter) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), fields)
    }

    package mutating func field(_ key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a key and a number with at most this many decimals, up to 15; null if it is nil.
    package mutating func field(_ key: String, _ value: Double?, decimals: Int) {
        self.key(key)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    package mutating func field(_ key: String, _ fields: (inout JSONWriter) -> Void) {
        self.key(key)
        object(fields)
    }

    /// Writes a key and an object with the fields of a value; null if it is nil.
    package mutating func field<Value>(
        _ key: String, of value: Value?, _ fields: (inout JSONWriter, Value) -> Void
    ) {
        self.key(key)
        if let value { object { fields(&$0, value) } } else { null() }
    }

    /// Writes a key and a list of objects, one with the fields of each value.
    package mutating func field<Value>(
        _ key: String, ofEach values: [Value], _ fields: (inout JSONWriter, Value) -> Void
    ) {
        self.key(key)
        array(values) { json, value in json.object { fields(&$0, value) } }
    }

    package mutating func null() { append("null") }

    package mutating func null(_ key: String) {
        self.key(key)
        null()
    }

    /// Writes a number with at most this many decimals; 0 if it is not finite, which JSON cannot express.
    package mutating func number(_ value: Double, decimals: Int) {
        let power = Self.powersOfTen[decimals]
        let (scale, scaled) = (Double(power), (value * Double(power)).rounded())
        // A decimal of up to 15 digits is the shortest one of its Double. Below 0.0001, the shortest one has an
        // exponent.
        guard scaled.magnitude < 1e15, scaled == 0 || scaled.magnitude * 10_000 >= scale else {
            let rounded = scaled / scale
            number(rounded.isFinite ? rounded : value.isFinite ? value : 0)
            return
        }
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        var (whole, rest) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: power)
        digits(whole)
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var unit = power
        while rest > 0 {
            unit /= 10
            (whole, rest) = rest.quotientAndRemainder(dividingBy: unit)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole))
        }
    }

    /// Writes a number with the fewest digits that distinguish it from all others; null if it is not finite.
    fileprivate mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        // All digits of a whole number up to 2^53 distinguish it. Above that, the description has an exponent.
        if value.magnitude <= 0x1p53, let integer = Int(exactly: value) { return self.integer(integer) }
        append(value.description)
    }

    fileprivate mutating func integer(_ value: some FixedWidthInteger) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(UInt64(value.magnitude))
    }

    fileprivate mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let utf8 = text.utf8.span
        for index in utf8.indices {
            let byte = utf8[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                escape(byte)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    fileprivate mutating func append(_ text: String) {
        // For texts as short as these, this is quicker than `append(contentsOf:)`.
        let utf8 = text.utf8.span
        for index in utf8.indices { bytes.append(utf8[index]) }
    }

    private mutating func key(_ key: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    fileprivate mutating func array<Value>(_ values: [Value], _ write: (inout JSONWriter, Value) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
            // An iterator of an array is a generic type that the runtime would look up.
            for index in 0..<values.count {
                json.separate()
                write(&json, values[index])
            }
        }
    }

    private mutating func enclose(_ start: UInt8, _ end: UInt8, _ body: (inout JSONWriter) -> Void) {
        bytes.append(start)
        needsComma = false
        body(&self)
        bytes.append(end)
        needsComma = true
    }

    private mutating func digits(_ value: UInt64) {
        if value > 9 { digits(value / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default:
            append(byte < 0x10 ? "\\u000" : "\\u00")
            append(String(byte, radix: 16))
        }
    }
}

extension String: JSONWritable {
    package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONWritable {
    package func write(to json: inout JSONWriter) { json.append(self ? "true" : "false") }
}

/// A number with the fewest digits that distinguish it from all others; null if it is not finite.
extension Double: JSONWritable {
    package func write(to json: inout JSONWriter) { json.number(self) }
}

extension JSONWritable where Self: FixedWidthInteger {
    package func write(to json: inout JSONWriter) { json.integer(self) }
}

/// A document that was written before, as a value of another one.
package struct EncodedJSON: JSONWritable, Equatable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter data: A JSON value.
    package init(_ data: Data) { bytes = Array(data) }

    package func write(to json: inout JSONWriter) { json.bytes += bytes }
}

extension Int: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension JSONWritable where Self: RawRepresentable<String> {
    package func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to json: inout JSONWriter) {
        if let value = self { value.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to json: inout JSONWriter) { json.array(self) { $1.write(to: &$0) } }
}

extension Name: JSONWritable {
    package func write(to json: inout JSONWriter) { text.write(to: &json) }
}
