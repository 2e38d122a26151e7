import FoundationEssentials
import Readings
import V4L2

/// The camera that the capture loop stays with: the one that delivers frames, or did so until it was lost, or that was
/// opened for a client.
///
/// Neither another camera nor the test pattern replaces it, because a colour from another source would mislead.
struct HeldCamera {
    var node: DeviceNode
    /// Whether it replaces the camera chosen in an earlier run until that one is back.
    var isStandIn: Bool
    /// What its last stream knew of its frames.
    var filter = StaleFrameFilter()
    /// The time at which it was found not to deliver frames, as text; nil while it delivers.
    private(set) var lostAt: String?
    /// The time of its last frame, as text; nil while it delivers.
    private(set) var silentSince: String?

    init(_ node: DeviceNode, isStandIn: Bool = false) {
        self.node = node
        self.isStandIn = isStandIn
    }

    /// Records that the camera has stopped delivering. The first time counts until it delivers again.
    /// - Parameter silence: The time for which there has been no frame, in seconds.
    mutating func recordLoss(after silence: Double = 0, at date: Date = Date()) {
        guard lostAt == nil else { return }
        let style = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)
        (lostAt, silentSince) = (date.formatted(style), (date - silence).formatted(style))
    }

    /// The start of a sentence, `Lost at 12:34:56: `; empty while the camera delivers.
    var lossPrefix: String { lostAt.map { "Lost at \($0): " } ?? "" }
}
