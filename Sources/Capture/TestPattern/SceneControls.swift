import V4L2

/// The settings of the painted scene, which clients see as the controls of a camera.
package struct SceneControls: Equatable, Sendable {
    /// Whether the lamp changes. If not, it stays as at the beginning of its cycle.
    var lampDrifts = true
    /// The number of pixels by which the picture is moved to the right, as if the camera had been nudged.
    var nudge = 0

    private static let maxNudge = 100

    package init() {}

    /// The controls with their values. The ids are those of a driver's own controls.
    var controls: [Control] {
        [
            Control(
                id: 0x0800_0000, name: "lamp_drift", label: "Lamp Drift", kind: .boolean, minimum: 0, maximum: 1,
                step: 1,
                defaultValue: .number(1), value: .number(lampDrifts ? 1 : 0), choices: [], isReadOnly: false,
                isInactive: false),
            Control(
                id: 0x0800_0001, name: "nudge", label: "Nudge", kind: .integer, minimum: 0,
                maximum: Int64(Self.maxNudge), step: 1, defaultValue: .number(0), value: .number(Int64(nudge)),
                choices: [], isReadOnly: false, isInactive: false),
        ]
    }
}
