import Untrusted

/// A camera's control (brightness, exposure, ...) with its range and value.
public struct Control: Equatable, Sendable {
    /// The kinds of `enum v4l2_ctrl_type` whose value a person can write.
    public enum Kind: String, CaseIterable, Sendable {
        /// A whole number in a range.
        case integer
        /// 0 or 1.
        case boolean
        /// One of several named choices.
        case menu
        /// One of several numbers.
        case integerMenu = "integer-menu"
        /// An action that setting the control triggers.
        case button
        /// A set of bits.
        case bitmask
        /// Text.
        case string
    }

    /// A choice in a menu.
    public struct Choice: Equatable, Sendable {
        /// The value that selects it.
        public var value: Int64
        /// The driver's name for it.
        public var name: String
    }

    /// The value of a control.
    public enum Value: Equatable, Sendable {
        /// The value of every kind except strings: 0 or 1 for a boolean, the index of the choice for a menu.
        case number(Int64)
        /// The value of a string.
        case text(String)
    }

    /// The kernel's number for it (`V4L2_CID_*`).
    public var id: UInt32
    /// The name as `v4l2-ctl` and `config.toml` write it: `white_balance_temperature`.
    public var name: String
    /// The driver's own name for it.
    public var label: String
    /// The kind of value it takes.
    public var kind: Kind
    /// The lowest value; for a string, its minimum length in bytes.
    public var minimum: Int64
    /// The highest value; for a string, its maximum length in bytes; for a bitmask, the bits that may be set.
    public var maximum: Int64
    /// The distance between two adjacent values.
    public var step: Int64
    /// The value it has when the driver is loaded; nil for a button, or for a string, whose default V4L2 does not
    /// report.
    public var defaultValue: Value?
    /// The current value; nil for a button or a write-only control.
    public var value: Value?
    /// The choices of a menu; empty otherwise.
    public var choices: [Choice]
    /// Whether it cannot be set.
    public var isReadOnly: Bool
    /// Whether it has no effect for the time being, because an automatic control has taken it over.
    public var isInactive: Bool
    /// Whether the camera changes its value by itself.
    public var isVolatile: Bool
    /// Whether its value decides which formats the camera offers, or how its frames are laid out: a mirrored sensor
    /// sends the colours of its mosaic in another order.
    public var modifiesLayout: Bool

    /// Creates a control from the given values, unchecked.
    package init(
        id: UInt32,
        name: String,
        label: String,
        kind: Kind,
        minimum: Int64,
        maximum: Int64,
        step: Int64,
        defaultValue: Value? = nil,
        value: Value? = nil,
        choices: [Choice],
        isReadOnly: Bool,
        isInactive: Bool,
        isVolatile: Bool = false,
        modifiesLayout: Bool = false
    ) {
        self.id = id
        self.name = name
        self.label = label
        self.kind = kind
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.defaultValue = defaultValue
        self.value = value
        self.choices = choices
        self.isReadOnly = isReadOnly
        self.isInactive = isInactive
        self.isVolatile = isVolatile
        self.modifiesLayout = modifiesLayout
    }
}

extension Control.Value: CustomStringConvertible {
    /// The value as `config.toml` writes it.
    public var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): text.toml
        }
    }

    /// The value for use in a sentence, shortened to what a person can read.
    var brief: String { description.sanitized(limit: 80) }
}

extension Control {
    /// Returns why a value cannot be set, in a few words that follow the control's name; nil if it may be tried.
    public func problem(with value: Value) -> String? {
        if isReadOnly { return "is read-only" }
        switch (kind, value) {
        case (.button, _): return nil
        case (.string, .text(let text)):
            let count = Int64(text.utf8.count)
            guard count >= minimum, count <= maximum else {
                return "takes \(minimum) to \(maximum) bytes of text, not \(count)"
            }
            return isOnStep(count) ? nil : "takes a multiple of \(step) bytes of text beyond \(minimum), not \(count)"
        case (.string, .number): return "takes a text, not the number \(value.brief)"
        case (_, .text): return "takes a number, not the text \(value.brief)"
        case (.menu, .number(let number)), (.integerMenu, .number(let number)):
            guard !choices.contains(where: { $0.value == number }) else { return nil }
            guard !choices.isEmpty else { return "has no choices" }
            let list = choices.prefix(16).map { "\($0.value) \($0.name)" }.joined(separator: ", ")
            return "has no choice \(number), only \(list)"
        case (.bitmask, .number(let number)):
            // The maximum is the mask of bits that may be set; minimum and step are 0.
            return number & ~maximum == 0 ? nil : "takes bits of \(maximum), not \(number)"
        case (.integer, .number(let number)), (.boolean, .number(let number)):
            guard number >= minimum, number <= maximum else {
                return "takes \(minimum)...\(maximum), not \(number)"
            }
            return isOnStep(number) ? nil : "takes values in steps of \(step) from \(minimum), not \(number)"
        }
    }

    /// Returns the value that may be set and is nearest to one that was read: while an automatic control is on, some
    /// drivers report what the sensor has, between two steps or beyond the range.
    public func settable(_ value: Value) -> Value {
        guard kind == .integer, case .number(let number) = value, minimum <= maximum else { return value }
        let clamped = min(max(number, minimum), maximum)
        let (distance, overflow) = clamped.subtractingReportingOverflow(minimum)
        guard step > 1, !overflow else { return .number(clamped) }
        let lower = clamped - distance % step
        return .number(distance % step > step / 2 && maximum - lower >= step ? lower + step : lower)
    }

    private func isOnStep(_ number: Int64) -> Bool {
        let (distance, overflow) = number.subtractingReportingOverflow(minimum)
        return step == 0 || overflow || distance % step == 0
    }
}
