import Handoff
import Readings

/// Asking the capture thread for another camera.
enum CameraChoosing: Conversation {
    /// Which camera is wanted in place of the present one.
    enum Wish: Equatable, Sendable {
        /// The next one, in the order of the list.
        case next
        /// A node, a stable id, part of a name, or `test-pattern`.
        case device(String)
    }

    /// The camera that is open now.
    typealias Value = Reading.Camera

    /// Why the camera is still the one that it was.
    enum Refusal: Error, Equatable, Sendable {
        /// There is none like that: a sentence.
        case notFound(String)
        /// It is there, and cannot be used: a sentence.
        case unusable(String)
        case unavailable
    }

    static let capacity = 8
    static let unavailable = Refusal.unavailable
}

typealias CaptureDesk = Desk<CameraChoosing>
