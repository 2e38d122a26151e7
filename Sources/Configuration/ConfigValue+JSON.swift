package import FoundationEssentials
import Untrusted

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

extension ConfigSchema {
    /// Returns a config as JSON: every key in its table, null if it is omitted.
    /// - Parameter path: The file that the config is from, if any.
    package static func json(_ config: Config, path: String?) -> Data {
        JSONText.data(of: Document(path: path, config: Table(config: config, path: [])))
    }

    private struct Document: Encodable {
        @Nullable var path: String?
        var config: Table
    }

    /// A table with its keys and inner tables.
    private struct Table: Encodable {
        var config: Config
        var path: [String]

        func encode(to encoder: any Encoder) throws {
            var values: [String: ConfigValue?] = [:]
            for key in keys where key.table == path { values.updateValue(key.value(in: config), forKey: key.leaf) }
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in values { try container.encode(value, forKey: Name(name)) }
            let inner = Set(
                keys.filter { $0.table.count > path.count && $0.table.starts(with: path) }.map { $0.path[path.count] })
            for name in inner { try container.encode(Table(config: config, path: path + [name]), forKey: Name(name)) }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
