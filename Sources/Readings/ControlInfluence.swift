/// The influence of the camera's controls on the colour, as far as readings have to know it.
package struct ControlInfluence: Equatable, Sendable {
    /// The labels of the automatic controls that are on, with which the camera may change the colour at any time.
    package var automatics: [String]
    /// The number of times that a control was set or locked, which may have changed the colour immediately. Values that
    /// the camera itself changes do not count, because some change with every frame.
    package var changes: Int

    package init(automatics: [String] = [], changes: Int = 0) {
        self.automatics = automatics
        self.changes = changes
    }
}
