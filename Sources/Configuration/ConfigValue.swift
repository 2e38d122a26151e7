/// A value as it was written, before anyone knows whether it is a good one.
package indirect enum ConfigValue: Equatable, Sendable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    /// A date, a time, or both: no key of ours takes one.
    case date
    case list([ConfigValue])
    case table([String: ConfigValue])

    /// The value and its type, as the start of a sentence: `"640" is a string`.
    package var sentence: String {
        switch self {
        case .string: "\(text) is a string"
        case .integer: "\(text) is a whole number"
        case .float: "\(text) is a number with a point"
        case .boolean: "\(text) is a boolean"
        case .date: "this is a date"
        case .list: "this is a list"
        case .table: "this is a table"
        }
    }

    /// The value as TOML writes it, short enough for a message.
    var text: String {
        switch self {
        case .string(let text): text.quoted()
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .date: "a date"
        case .list: "a list"
        case .table: "a table"
        }
    }

    /// A whole number or one with a point, as people mix them freely.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }
}

extension Double {
    /// The shortest spelling that is the same number, without a needless `.0`.
    package var shortest: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
