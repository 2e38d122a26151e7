package import Handoff
package import Readings

/// Asks the capture thread for another camera.
package enum CameraCommand: Command, Equatable {
    /// The next one, in the order of the list.
    case next
    /// A node, a stable id, part of a name, or `test-pattern`.
    case device(String)

    /// The camera that is open now.
    package typealias Value = Reading.Camera

    /// Why the camera in use has not changed.
    package enum Refusal: Error, Equatable, Sendable {
        /// There is none like that: a sentence.
        case notFound(String)
        /// It is there, and cannot be used: a sentence.
        case unusable(String)
        case unavailable
    }

    package static let capacity = 8
    package static let unavailable = Refusal.unavailable
}

package typealias CameraRequests = RequestQueue<CameraCommand>
