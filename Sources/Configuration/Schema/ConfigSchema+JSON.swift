package import Documents
package import FoundationEssentials
import Untrusted

extension ConfigSchema {
    /// Returns a config as JSON: every key in its table, null if it is omitted.
    /// - Parameter path: The file that the config is from, if any.
    package static func json(_ config: Config, path: String?) -> Data {
        JSONText.data(of: Document(path: path, config: Table(config: config, path: [])))
    }

    /// The schema of the keys in that document.
    package static var schema: JSONSchema { schema(of: []) }

    private static func schema(of path: [String]) -> JSONSchema {
        let below = keys.filter { $0.path.count > path.count && $0.path.starts(with: path) }
        let names = below.map { $0.path[path.count] }
        let properties = Set(names).sorted().map { name in
            let key = below.first { $0.path == path + [name] }
            guard let key else { return JSONProperty(name, schema(of: path + [name])) }
            return JSONProperty(name, key.schema, key.documentation.joined(separator: " "))
        }
        return .object(properties)
    }

    /// The settings that clients may change, by the names that they have in the API.
    package static var settings: [JSONProperty] {
        keys.compactMap { key in key.setting.map { JSONProperty($0, key.schema) } }
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
            for key in keys where key.table == path { values.updateValue(key.value(config), forKey: key.leaf) }
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
