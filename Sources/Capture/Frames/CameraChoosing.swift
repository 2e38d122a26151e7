package import Handoff
package import Readings

/// Asking the capture thread for another camera.
package enum CameraChoosing: Conversation {
    /// Which camera is wanted in place of the present one.
    package enum Wish: Equatable, Sendable {
        /// The next one, in the order of the list.
        case next
        /// A node, a stable id, part of a name, or `test-pattern`.
        case device(String)
    }

    /// The camera that is open now.
    package typealias Value = Reading.Camera

    /// Why the camera is still the one that it was.
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

package typealias CaptureDesk = Desk<CameraChoosing>
