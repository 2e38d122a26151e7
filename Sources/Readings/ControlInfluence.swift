/// The influence of the camera's controls on the colour, as far as readings have to know it.
package struct ControlInfluence: Equatable, Sendable {
    /// The labels of the automatic controls that are on, with which the camera may change the colour at any time.
    package var activeAutoControls: [String]
    /// The number of times that a control was set or locked, which may have changed the colour immediately. Values that
    /// the camera itself changes do not count, because some change with every frame.
    package var changeCount: Int

    package init(activeAutoControls: [String] = [], changeCount: Int = 0) {
        self.activeAutoControls = activeAutoControls
        self.changeCount = changeCount
    }
}
