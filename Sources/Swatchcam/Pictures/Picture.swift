import Foundation

/// One JPEG picture for people to see.
struct Picture: Sendable {
    /// Which picture of a camera.
    enum View: String, CaseIterable, Sendable {
        /// As the camera sees it.
        case live
        /// With the chosen effect.
        case processed
    }

    /// The JPEG image.
    var data: Data
    /// When the frame was captured, by the wall clock.
    var time: Date
}
