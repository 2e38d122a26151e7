import Readings
package import V4L2

/// The controls of the camera in use, as they were read last.
package struct ControlState: Equatable, Sendable {
    /// Nil while there is none.
    var camera: Reading.Camera?
    package var controls: [Control] = []
    var lock: MeasuringLock?

    /// Before anything is known of a camera.
    package static let none = ControlState()
}

extension ControlState: Encodable {
    private enum CodingKeys: String, CodingKey { case camera, controls, automatics, lock }

    /// The document of `GET /api/controls`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(camera, forKey: .camera)
        try container.encode(controls.map { ControlDocument($0, among: controls) }, forKey: .controls)
        try container.encode(controls.activeAutomatics.map(\.control.name), forKey: .automatics)
        try container.encode(lock, forKey: .lock)
    }
}
