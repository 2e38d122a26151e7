import Configuration
import Documents
import State
import Untrusted
import V4L2

extension Device {
    /// Sets those of the configured controls that decide which formats the camera offers, as
    /// ``apply(_:)`` does, unless another program is streaming.
    /// - Throws: `V4L2Error.busy` if another program is streaming, `.system` when the device is gone.
    func applyLayout(_ settings: [String: ConfigValue]) throws(V4L2Error) -> [ControlRefusal] {
        guard !settings.isEmpty else { return [] }
        let names = Set(controls().filter(\.modifiesLayout).map(\.name))
        let layout = settings.filter { names.contains($0.key) }
        guard !layout.isEmpty else { return [] }
        try ensureFree()
        return try apply(layout)
    }

    /// Sets the camera's controls to the configured values.
    /// - Returns: The controls that the camera lacks or refused to set, sorted by name.
    /// - Throws: `V4L2Error.system` when the device is gone.
    func apply(_ settings: [String: ConfigValue]) throws(V4L2Error) -> [ControlRefusal] {
        guard !settings.isEmpty else { return [] }
        let controls = controls()
        var wanted: [(control: Control, value: Control.Value)] = []
        var refusals: [ControlRefusal] = []
        for (name, written) in settings {
            if let control = controls.first(where: { $0.name == name }) {
                if let value = control.value(from: written) { wanted.append((control, value)) }
            } else {
                refusals.append(
                    ControlRefusal(name: name.sanitized(limit: 64), reason: controls.unknownControlReason(for: name)))
            }
        }
        refusals += try apply(wanted)
        return refusals.sorted { $0.name < $1.name }
    }

    /// Sets a control to a written value, or to its default if the value is nil.
    /// - Returns: The reason why the control was not set; nil if it was.
    /// - Throws: `V4L2Error` when the camera is gone.
    func set(
        _ name: String, to written: ConfigValue?, among controls: [Control]
    ) throws(V4L2Error) -> ControlCommand.Refusal? {
        let (control, value): (Control, Control.Value)
        do throws(ControlCommand.Refusal) {
            (control, value) = try controls.setting(name, to: written)
        } catch {
            return error
        }
        return try refusal(setting: control, to: value).map { .refused($0) }
    }

    /// Sets a control.
    /// - Returns: The reason why the camera refused; nil if it did not.
    /// - Throws: `V4L2Error` when the camera is gone.
    func refusal(setting control: Control, to value: Control.Value) throws(V4L2Error) -> String? {
        do throws(V4L2Error) {
            try set(control, to: value)
            return nil
        } catch {
            guard case .control = error else { throw error }
            return "\(error)"
        }
    }
}

extension [Control] {
    /// Returns the settings that these controls do not have. A button has no value, so it is never missing.
    func missing(_ settings: [String: ConfigValue]) -> [String: ConfigValue] {
        settings.filter { name, written in
            guard let control = first(where: { $0.name == name }) else { return true }
            return control.kind != .button && control.value != control.value(from: written)
        }
    }
}

extension [ControlRefusal] {
    /// Returns a sentence for the page and the log; nil if nothing was refused.
    /// - Parameter beginning: The beginning of the sentence, which a colon follows.
    func sentence(beginning: String = "camera.controls") -> String? {
        guard !isEmpty else { return nil }
        let list = prefix(3).map { "\($0.name) \($0.reason)" }.joined(separator: "; ")
        return "\(beginning): \(list)\(count > 3 ? "; and \(count - 3) more" : "")".withFullStop
    }
}
