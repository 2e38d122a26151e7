import Readings
package import V4L2

/// The controls of the camera in use, as they were last read.
package struct ControlState: Equatable, Sendable {
    /// The camera in use; nil if there is none.
    var camera: Reading.Camera?
    /// The camera's controls; empty if there is no camera.
    package var controls: [Control] = []
    /// The lock for measuring; nil if the controls are neither locked nor about to be.
    var lock: MeasuringLock?

    /// The state before a camera is known.
    package static let none = ControlState()
}

extension ControlState: Encodable {
    private enum CodingKeys: String, CodingKey { case camera, controls, automatics, lock }

    /// Encodes the document of `GET /api/controls`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(camera, forKey: .camera)
        try container.encode(controls.map { ControlDocument($0, among: controls) }, forKey: .controls)
        try container.encode(controls.activeAutoControls.map(\.control.name), forKey: .automatics)
        try container.encode(lock, forKey: .lock)
    }
}
