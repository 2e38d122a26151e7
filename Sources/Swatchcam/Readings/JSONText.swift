import Foundation

/// Writes JSON with its keys in the order in which they are given. Every key is written; a missing value is null.
struct JSONText {
    private(set) var text = ""
    private var needsComma = false

    /// An object; the closure writes its members.
    mutating func object(_ members: (inout JSONText) -> Void) {
        text += "{"
        needsComma = false
        members(&self)
        text += "}"
        needsComma = true
    }

    /// A member that is an object, or null when there is no value to make it of.
    mutating func object<Value>(_ key: String, _ value: Value?, _ members: (inout JSONText, Value) -> Void) {
        name(key)
        guard let value else { return literal("null") }
        object { members(&$0, value) }
    }

    mutating func member(_ key: String, _ value: String?) {
        name(key)
        literal(value.map(Self.quoted) ?? "null")
    }

    mutating func member(_ key: String, _ value: some BinaryInteger) {
        name(key)
        literal(value.description)
    }

    /// A number rounded to some decimals; what is no number (infinite, not a number) is null.
    mutating func member(_ key: String, _ value: Double?, decimals: Int) {
        name(key)
        guard let value, value.isFinite else { return literal("null") }
        let scale = pow(10, Double(decimals))
        let rounded = (value * scale).rounded() / scale
        literal((rounded.isFinite ? rounded : value).description)
    }

    private mutating func name(_ key: String) {
        if needsComma { text += "," }
        text += Self.quoted(key) + ":"
    }

    private mutating func literal(_ value: String) {
        text += value
        needsComma = true
    }

    private static func quoted(_ string: String) -> String {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
