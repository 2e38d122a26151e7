/// Why a value was refused.
package enum ConfigRejection: Error, Equatable, Sendable {
    /// Not even the right type.
    case wrongType
    /// The right type, a bad value: a sentence.
    case refused(String)
    /// One element of a list is bad, counted from 0: a sentence.
    case element(Int, String)
    /// One entry of a table is bad: its key and a sentence.
    case entry(String, String)
}

/// What the value of a key may be: how it is read, how it is written, how a person is told.
package struct ConfigCodec<Value: Sendable>: Sendable {
    /// Ends the sentence "... is wanted": `a whole number in 1...240`.
    package var wanted: String
    /// The allowed values for the documentation: `1...240`.
    var range: String
    /// Reads a value. Relative paths are relative to the folder.
    package var decode: @Sendable (_ value: ConfigValue, _ folder: String) throws(ConfigRejection) -> Value
    /// Writes a value as TOML; nil: it is written by leaving the key out.
    var encode: @Sendable (Value) -> String?
    /// Reads an option of the command line as the value that TOML would have had.
    var parse: @Sendable (String) -> ConfigValue = { .string($0) }
}
