package import Handoff
package import Readings

/// A command to the capture thread to use another camera.
package enum CameraCommand: Command, Equatable {
    /// The next camera in the order of the list.
    case next
    /// A device node, a stable id, part of a camera's name, or `test-pattern`.
    case device(String)

    /// The camera that is open now.
    package typealias Value = Reading.Camera

    package enum Refusal: Error, Equatable, Sendable {
        /// There is no such camera: a sentence.
        case notFound(String)
        /// The camera exists but cannot be used: a sentence.
        case unusable(String)
        /// The queue is full or has been stopped.
        case unavailable
    }

    package static let capacity = 8
    package static func unavailable(isStopped: Bool) -> Refusal { .unavailable }
}

package typealias CameraRequests = RequestQueue<CameraCommand>
