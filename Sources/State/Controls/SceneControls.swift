package import Configuration
package import V4L2

/// The settings of the painted scene, which clients see as the controls of a camera.
package struct SceneControls: Equatable, Sendable {
    /// Whether the lamp changes. If it does not, it stays as it is at the beginning of its cycle.
    package var lampDrifts = true
    /// The number of pixels by which the picture is moved to the right, as if the camera had been nudged.
    package var nudge = 0

    private static let maxNudge = 100

    private static let lampDrift = "lamp_drift"

    package init() {}

    /// Whether this is the control that makes the lamp change, and it is on.
    package static func isLampDrifting(_ control: Control) -> Bool {
        control.name == lampDrift && control.value == .number(1)
    }

    /// The controls with their values. The ids are those of a driver's own controls.
    package var controls: [Control] {
        [
            Control(
                id: 0x0800_0000, name: Self.lampDrift, label: "Lamp Drift", kind: .boolean, minimum: 0, maximum: 1,
                step: 1,
                defaultValue: .number(1), value: .number(lampDrifts ? 1 : 0), choices: [], isReadOnly: false,
                isInactive: false),
            Control(
                id: 0x0800_0001, name: "nudge", label: "Shift of the Picture", kind: .integer, minimum: 0,
                maximum: Int64(Self.maxNudge), step: 1, defaultValue: .number(0), value: .number(Int64(nudge)),
                choices: [], isReadOnly: false, isInactive: false),
        ]
    }
}

extension SceneControls {
    /// Sets a control to a written value, or to its default if the value is nil.
    /// - Returns: The reason why it was not set; nil if it was.
    package mutating func set(_ name: String, to written: ConfigValue?) -> ControlCommand.Refusal? {
        do throws(ControlCommand.Refusal) {
            let (control, value) = try controls.setting(name, to: written)
            guard case .number(let number) = value else { return nil }
            switch control.name {
            case Self.lampDrift: lampDrifts = number != 0
            default: nudge = Int(number)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Sets the controls to the configured values. Those of cameras are left out.
    package mutating func apply(_ settings: [String: ConfigValue]) {
        for (name, written) in settings { _ = set(name, to: written) }
    }
}
