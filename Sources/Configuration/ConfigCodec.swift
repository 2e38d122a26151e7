/// The reason why a value was refused.
package enum ConfigRejection: Error, Equatable, Sendable {
    /// The value has the wrong type.
    case wrongType
    /// The value is invalid: a sentence.
    case refused(String)
    /// An element of a list is invalid: its index, from 0, and a sentence.
    case element(Int, String)
    /// An entry of a table is invalid: its key and a sentence.
    case entry(String, String)
}

/// The type of a key's value: how it is read, written and described.
package struct ConfigCodec<Value: Sendable>: Sendable {
    /// The allowed values, for the end of an error message: `a whole number in 1...240`.
    package var expected: String
    /// The allowed values, for the documentation: `1...240`.
    var allowedValues: String
    /// Reads a value. Relative paths are relative to the folder.
    package var decode: @Sendable (_ value: ConfigValue, _ folder: String) throws(ConfigRejection) -> Value
    /// Writes a value as TOML; nil if the key is omitted instead.
    var encode: @Sendable (Value) -> String?
    /// Turns the text of a command-line option into the value that TOML would contain.
    var parse: @Sendable (String) -> ConfigValue = { .string($0) }
}
