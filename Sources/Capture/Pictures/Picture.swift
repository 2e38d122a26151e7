package import Foundation

/// One JPEG picture for people to see.
package struct Picture: Sendable {
    /// Which picture of a camera.
    package enum View: String, CaseIterable, Sendable {
        /// As the camera sees it.
        case live
        /// With the chosen effect.
        case processed
    }

    /// The JPEG image.
    package var data: Data
    /// When the frame was captured, by the wall clock.
    package var time: Date
}
