import Untrusted

/// A value of a configuration file, not yet validated.
package indirect enum ConfigValue: Sendable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    /// A date, a time or both, which no key accepts.
    case date
    case list([ConfigValue])
    case table([String: ConfigValue])

    /// The value with its type, as the start of an error message: `"640" is a string`.
    package var sentence: String {
        switch self {
        case .string: "\(text) is a string"
        case .integer: "\(text) is a whole number"
        case .float: "\(text) is a decimal number"
        case .boolean: "\(text) is a boolean"
        case .date: "this is a date"
        case .list: "this is a list"
        case .table: "this is a table"
        }
    }

    /// The value as TOML, shortened for a message.
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

    /// The value as TOML; nil if it is a date or a table.
    var toml: String? {
        switch self {
        case .string(let text): text.toml
        case .integer(let number): "\(number)"
        case .float(let number): number.shortestText
        case .boolean(let flag): "\(flag)"
        case .list(let elements): "[\(elements.compactMap(\.toml).joined(separator: ", "))]"
        case .date, .table: nil
        }
    }

    /// The value as a number, whether it is written with a point or without.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }
}

extension ConfigValue: Equatable {
    /// Strings are equal if their bytes are: another spelling of the same text is a change, too.
    package static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.integer(let one), .integer(let other)): one == other
        case (.float(let one), .float(let other)): one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.date, .date): true
        case (.list(let one), .list(let other)): one == other
        case (.table(let one), .table(let other)): one == other
        default: false
        }
    }
}

extension Double {
    /// The shortest text for the same number, without a trailing `.0`.
    package var shortestText: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension ConfigValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .float(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .date: try container.encodeNil()
        case .list(let elements): try container.encode(elements)
        case .table(let values): try container.encode(values)
        }
    }
}

extension ConfigValue: Decodable {
    /// Decodes a value from JSON. null is not a value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .float(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let list = try? container.decode([ConfigValue].self) {
            self = .list(list)
        } else {
            self = .table(try container.decode([String: ConfigValue].self))
        }
    }
}
