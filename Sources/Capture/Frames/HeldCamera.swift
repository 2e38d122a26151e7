import Foundation
import V4L2

/// The camera that the capture loop stays with: the one that delivers, or did before it was lost. No other camera takes
/// its place, nor does the test pattern: a colour of something else would mislead.
struct HeldCamera {
    var node: DeviceNode
    /// Whether it stands in for the camera that a person chose in an earlier run, and gives way when that one is back.
    var isStandIn: Bool
    /// When it stopped to deliver, for a sentence; nil while it delivers.
    private(set) var lostAt: String?

    init(_ node: DeviceNode, isStandIn: Bool = false) {
        self.node = node
        self.isStandIn = isStandIn
    }

    /// Notes that it has stopped to deliver. The first time counts, until it delivers again.
    mutating func noteLoss(at date: Date = Date()) {
        guard lostAt == nil else { return }
        lostAt = date.formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
    }

    /// `Lost at 12:34:56: `, or nothing while it delivers.
    var lossPrefix: String { lostAt.map { "Lost at \($0): " } ?? "" }
}
