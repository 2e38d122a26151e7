package import Configuration
import Documents
package import V4L2

/// A camera's control in the documents of the API.
package struct ControlDocument: Encodable, Equatable, Sendable {
    var name: String
    var label: String
    var type: Control.Kind
    var minimum: Int64
    var maximum: Int64
    var step: Int64
    @Nullable var defaultValue: Control.Value?
    @Nullable var value: Control.Value?
    /// The names of a menu's choices, by value. Other types omit this key.
    var choices: [String: String]?
    var isReadOnly: Bool
    var isInactive: Bool
    /// The name of the automatic control that has taken it over.
    @Nullable var controlledBy: String?

    /// - Parameter all: The camera's controls, of which this is one.
    package init(_ control: Control, among all: [Control]) {
        name = control.name
        label = control.label
        type = control.kind
        minimum = control.minimum
        maximum = control.maximum
        step = control.step
        defaultValue = control.defaultValue
        value = control.value
        let named = control.choices.map { (String($0.value), $0.name) }
        choices = named.isEmpty ? nil : Dictionary(named) { first, _ in first }
        isReadOnly = control.isReadOnly
        isInactive = control.isInactive
        controlledBy = control.isInactive ? all.controller(of: control)?.name : nil
    }

    private enum CodingKeys: String, CodingKey {
        case name, label, type, minimum, maximum, step, value, choices, controlledBy
        case defaultValue = "default"
        case isReadOnly = "readOnly"
        case isInactive = "inactive"
    }

    /// A one-line description for people.
    package var text: String {
        var text = "\(name) (\(type.rawValue))"
        switch type {
        case .button: break
        case .string: text += " \(minimum)...\(maximum) bytes"
        default:
            text += " \(minimum)...\(maximum)" + (step > 1 ? " step \(step)" : "")
            if let defaultValue { text += ", default \(defaultValue)" }
        }
        if let value { text += ", now \(value)" }
        if let choices {
            let numbered = choices.compactMap { key, name in Int64(key).map { ($0, name) } }.sorted { $0.0 < $1.0 }
            text += ": " + numbered.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
        return text + (isReadOnly ? " [read-only]" : "") + (isInactive ? " [inactive]" : "")
    }
}

extension Control.Kind: Encodable {}

extension Control.Value: Encodable {
    package func encode(to encoder: any Encoder) throws { try ConfigValue(self).encode(to: encoder) }
}

extension ConfigValue {
    /// The value as the API and `config.toml` write it.
    init(_ value: Control.Value) {
        switch value {
        case .number(let number): self = .integer(Int(number))
        case .text(let text): self = .string(text)
        }
    }
}

extension Control {
    /// Converts a written value to one for this control: `true` means 1, and a menu's choice may be given by name.
    /// - Returns: Nil if no control accepts such a value.
    package func value(from written: ConfigValue) -> Value? {
        switch written {
        case .integer(let number): .number(Int64(number))
        case .boolean(let flag): .number(flag ? 1 : 0)
        // A script may write 3.0. No control accepts a number with a fraction.
        case .float(let number): Int64(exactly: number).map(Value.number)
        case .string(let text) where kind == .menu || kind == .integerMenu:
            choices.first { $0.name.lowercased() == text.lowercased() }.map { .number($0.value) } ?? .text(text)
        case .string(let text): .text(text)
        default: nil
        }
    }
}

extension [Control] {
    /// Explains that there is no control of this name, in a few words that follow the name, and suggests a similar name
    /// if there is one.
    package func unknownControlReason(for name: String) -> String {
        // The kernel's names have at most 31 characters; comparing a request's 60,000 with each would take seconds.
        guard name.utf8.count <= 64 else { return "is not a control of this camera" }
        let near = map { ($0.name, editDistance($0.name, name)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= Swift.max(2, name.count / 4) else { return "is not a control of this camera" }
        return "is not a control of this camera; did you mean \(near.0)?"
    }
}
