package import Metrology

/// The influence of the camera's controls on the colour, as far as readings have to know it.
package struct ControlInfluence: Equatable, Sendable {
    /// What people can change with a camera's controls to get a better reading.
    package enum Quantity: String, Sendable {
        case exposure, gain, saturation
        /// That the lamp of the painted scene changes.
        case lampDrift
    }

    /// The labels of the automatic controls that are on, with which the camera may change the colour at any time.
    package var activeAutoControls: [String]
    /// The number of times that a control was set or locked, which may have changed the colour immediately. Values that
    /// the camera itself changes do not count, because some change with every frame.
    package var changeCount: Int
    /// The id of the camera whose controls these are; nil while they are not known.
    package var camera: String?
    /// The values of the controls that can be set, by name.
    package var controls: [String: MeasuringConditions.ControlValue]
    /// What can be changed with these controls.
    package var adjustable: Set<Quantity> = []

    package init(
        activeAutoControls: [String] = [], changeCount: Int = 0, camera: String? = nil,
        controls: [String: MeasuringConditions.ControlValue] = [:]
    ) {
        self.activeAutoControls = activeAutoControls
        self.changeCount = changeCount
        self.camera = camera
        self.controls = controls
    }
}
