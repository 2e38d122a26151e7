import FoundationEssentials
import V4L2

/// The camera that the capture loop stays with: the one that delivers frames, or did so until it was lost, or that was
/// opened for a client.
///
/// Neither another camera nor the test pattern replaces it, because a colour from another source would mislead.
struct HeldCamera {
    var node: DeviceNode
    /// Whether it replaces the camera chosen in an earlier run until that one is back.
    var isStandIn: Bool
    /// The time at which it stopped delivering frames, as text; nil while it delivers.
    private(set) var lostAt: String?

    init(_ node: DeviceNode, isStandIn: Bool = false) {
        self.node = node
        self.isStandIn = isStandIn
    }

    /// Records that the camera has stopped delivering. The first time counts until it delivers again.
    mutating func noteLoss(at date: Date = Date()) {
        guard lostAt == nil else { return }
        lostAt = date.formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
    }

    /// The start of a sentence, `Lost at 12:34:56: `; empty while the camera delivers.
    var lossPrefix: String { lostAt.map { "Lost at \($0): " } ?? "" }
}
