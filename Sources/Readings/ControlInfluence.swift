/// What readings have to know about the camera's controls.
package struct ControlInfluence: Equatable, Sendable {
    /// The labels of the automatic controls that are on, with which the camera may change the colour at any time.
    package var automatics: [String]
    /// The number of changes that may have changed the colour at once: a control was set, or locked. Values that the
    /// camera itself changes do not count, because some change with every frame.
    package var changes: Int

    package init(automatics: [String] = [], changes: Int = 0) {
        self.automatics = automatics
        self.changes = changes
    }
}
