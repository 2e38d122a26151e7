import Documents
import Logging
import Pixels
import Untrusted

/// A key of `config.toml`, with all that is needed to read, check and document it.
struct ConfigKey: Sendable {
    /// The table and the key in the table: `["camera", "width"]`.
    let path: [String]
    /// The description of the key, in lines.
    let documentation: [String]
    /// The allowed values, for the end of an error message.
    let expected: String
    /// The allowed values and their unit.
    let allowedValues: String
    let schema: JSONSchema
    /// The default as TOML; nil if the key is omitted by default.
    let defaultValue: String?
    /// An example, if the key is omitted by default.
    let example: String?
    /// The text that documentation shows in place of a default for a key without one.
    let textWithoutDefault: String
    /// Whether the value is a table with keys that the schema does not know.
    let isTable: Bool
    /// Whether the value is a list of tables, each with the heading `[[key]]`.
    let isList: Bool
    /// The name of the setting by which clients may change the key; nil if they may not.
    let setting: String?
    /// Whether every change takes effect only after a restart.
    let needsRestart: Bool
    /// Whether this one change takes effect only after a restart; always true if `needsRestart`.
    let waitsForRestart: @Sendable (_ running: Config, _ edited: Config) -> Bool
    /// Whether two configs have different values for this key.
    let differs: @Sendable (Config, Config) -> Bool
    /// Whether the value is never shown.
    let isSecret: Bool
    /// Sets this key to a value from a file.
    let set: @Sendable (_ value: ConfigValue, _ folder: String, _ config: inout Config) throws(ConfigRejection) -> Void
    /// Copies the value of this key from one config to another.
    let copy: @Sendable (_ source: Config, _ config: inout Config) -> Void
    /// Returns the value of this key in a config; nil if the key is omitted.
    let value: @Sendable (Config) -> ConfigValue?
    /// Returns the value of this key in a config as TOML; nil if the key is omitted.
    let toml: @Sendable (Config) -> String?

    private let parse: @Sendable (String) -> ConfigValue

    init<Value: Equatable & ConfigRepresentable>(
        _ name: String, _ property: any WritableKeyPath<Config, Value> & Sendable, _ codec: ConfigCodec<Value>,
        unit: String? = nil, example: String? = nil, textWithoutDefault: String = "none", setting: String? = nil,
        needsRestart: Bool = false,
        waitsForRestart: @escaping @Sendable (_ running: Config, _ edited: Config) -> Bool = { _, _ in false },
        _ documentation: String...
    ) {
        path = name.split(separator: ".").map(String.init)
        self.documentation = documentation
        expected = codec.expected
        schema = codec.schema ?? Value.schema
        allowedValues = [codec.allowedValues, unit].compactMap(\.self).joined(separator: " ")
        self.example = example
        self.textWithoutDefault = textWithoutDefault
        isTable = Value.self == [String: ConfigValue].self
        isList = Value.self is any NamedItemList.Type
        self.setting = setting
        self.needsRestart = needsRestart
        self.waitsForRestart = { needsRestart || waitsForRestart($0, $1) }
        set = { value, folder, config throws(ConfigRejection) in
            config[keyPath: property] = try codec.decode(value, folder)
        }
        parse = codec.parse
        differs = { $0[keyPath: property] != $1[keyPath: property] }
        copy = { $1[keyPath: property] = $0[keyPath: property] }
        value = { $0[keyPath: property].configValue }
        let isSecret = Value.self == Token?.self || Value.self == WebhookAddress?.self
        self.isSecret = isSecret
        toml = { config in
            let value = config[keyPath: property]
            if let encode = codec.encode { return encode(value) }
            return isSecret ? nil : value.configValue?.toml
        }
        defaultValue = toml(Config())
    }

    /// `camera.width`
    var name: String { path.joined(separator: ".") }
    /// `camera`
    var table: [String] { path.dropLast() }
    /// `width`
    var leaf: String { path.last ?? "" }

    /// Sets this key to the text of a command-line option. Relative paths are relative to the current folder.
    func apply(option text: String, to config: inout Config) throws(ConfigRejection) {
        do {
            try set(parse(text), ".", &config)
        } catch .wrongType {
            throw .refused("\(text.quoted()) is not \(expected)")
        }
    }
}

/// A decoded value that can be converted back to a `ConfigValue`.
protocol ConfigRepresentable {
    /// The schema of the value in the answer to `GET /api/config`.
    static var schema: JSONSchema { get }
    /// The value as it may be written in the file; nil if the key is omitted.
    var configValue: ConfigValue? { get }
}

extension Int: ConfigRepresentable {
    static var schema: JSONSchema { .integer }
    var configValue: ConfigValue? { .integer(self) }
}

extension UInt16: ConfigRepresentable {
    static var schema: JSONSchema { .integer }
    var configValue: ConfigValue? { .integer(Int(self)) }
}

extension Double: ConfigRepresentable {
    static var schema: JSONSchema { .number }
    var configValue: ConfigValue? { .float(self) }
}

extension Bool: ConfigRepresentable {
    static var schema: JSONSchema { .boolean }
    var configValue: ConfigValue? { .boolean(self) }
}

extension String: ConfigRepresentable {
    static var schema: JSONSchema { .string }
    var configValue: ConfigValue? { .string(self) }
}

extension Optional: ConfigRepresentable where Wrapped: ConfigRepresentable {
    static var schema: JSONSchema { Wrapped.schema.orNull }
    var configValue: ConfigValue? { flatMap(\.configValue) }
}

extension Region: ConfigRepresentable {
    static var schema: JSONSchema { .component("Region") }
    var configValue: ConfigValue? { .list([x, y, width, height].map(ConfigValue.float)) }
}

extension Token: ConfigRepresentable {
    static var schema: JSONSchema { .words(["hidden"]).described("Never the secret itself.") }
    var configValue: ConfigValue? { .string(description) }
}

extension RawRepresentable<String> where Self: ConfigRepresentable & CaseIterable {
    static var schema: JSONSchema { .words(of: Self.self) }
    var configValue: ConfigValue? { .string(rawValue) }
}

extension Config.Camera.Colorimetry: ConfigRepresentable {}
extension Config.Kiosk.Show: ConfigRepresentable {}
extension Average: ConfigRepresentable {}
extension Logger.Level: ConfigRepresentable {}
