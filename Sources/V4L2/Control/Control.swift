/// A camera's control (brightness, exposure, ...) with its range and value.
public struct Control: Equatable, Sendable {
    /// The kinds of `enum v4l2_ctrl_type` that have a value a person can write.
    public enum Kind: String, Equatable, Sendable {
        /// A whole number in a range.
        case integer
        /// 0 or 1.
        case boolean
        /// One of several named choices.
        case menu
        /// One of several numbers.
        case integerMenu = "integer-menu"
        /// Does something when it is set.
        case button
        /// A set of bits.
        case bitmask
        /// Text.
        case string
    }

    /// A choice of a menu.
    public struct Choice: Equatable, Sendable {
        /// The value to set.
        public var value: Int64
        /// What it means.
        public var name: String
    }

    /// `V4L2_CID_*`.
    public var id: UInt32
    /// As `v4l2-ctl` and `config.toml` write it: `white_balance_temperature`.
    public var name: String
    /// The driver's own words.
    public var label: String
    /// What kind of value it takes.
    public var kind: Kind
    /// Lowest value; of a string its shortest length.
    public var minimum: Int64
    /// Highest value; of a string its greatest length.
    public var maximum: Int64
    /// Distance between two values.
    public var step: Int64
    /// The value it has when the driver is loaded.
    public var defaultValue: Int64
    /// The value it has now; nil for a button, a string, or one that can only be written.
    public var value: Int64?
    /// Choices of a menu; empty otherwise.
    public var choices: [Choice]
    /// Cannot be set.
    public var isReadOnly: Bool
    /// Has no effect at present, because an automatic has taken over.
    public var isInactive: Bool
}
