/// How a picture is turned before it is shown: for cameras that hang upside down, stand on their side, or are to be
/// looked into like a mirror.
///
/// First the picture is rotated, then, if so wished, the rotated picture is mirrored, left and right exchanged. In
/// numbers, of a picture of w by h pixels as the camera sends it, pixel (x, y), counted from the top left, goes to
///
/// | rotation | not mirrored | mirrored | size |
/// |---|---|---|---|
/// | 0 | (x, y) | (w - 1 - x, y) | w by h |
/// | 90 | (h - 1 - y, x) | (y, x) | h by w |
/// | 180 | (w - 1 - x, h - 1 - y) | (x, h - 1 - y) | w by h |
/// | 270 | (y, w - 1 - x) | (h - 1 - y, w - 1 - x) | h by w |
public struct Orientation: Equatable, Hashable, Sendable {
    /// A rotation, in degrees clockwise as the viewer sees it.
    public enum Rotation: Int, CaseIterable, Sendable {
        /// As the camera sends it.
        case degrees0 = 0
        /// Its top is on the right.
        case degrees90 = 90
        /// Upside down.
        case degrees180 = 180
        /// Its top is on the left.
        case degrees270 = 270
    }

    /// Comes first.
    public var rotation: Rotation
    /// Whether left and right are exchanged, after the rotation.
    public var isMirrored: Bool

    /// As the camera sends it.
    public static let upright = Orientation(rotation: .degrees0, isMirrored: false)

    /// All eight.
    public static let all = Rotation.allCases.flatMap { rotation in
        [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
    }

    /// An orientation.
    public init(rotation: Rotation, isMirrored: Bool) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    /// Whether width and height are exchanged.
    public var swapsSides: Bool { rotation == .degrees90 || rotation == .degrees270 }
}
