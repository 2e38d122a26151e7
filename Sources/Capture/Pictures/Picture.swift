package import FoundationEssentials
package import Handoff

/// A picture for viewers, as a JPEG image.
package struct Picture: Sendable {
    /// The kind of picture.
    package enum View: String, CaseIterable, Sendable {
        /// The picture without an effect.
        case live
        /// The picture with the chosen effect.
        case processed
    }

    /// The JPEG image.
    package var data: Data
    /// The time of capture, by the wall clock.
    package var time: Date
    /// The time of capture, by the monotonic clock.
    package var timestamp: MonotonicTime
}
