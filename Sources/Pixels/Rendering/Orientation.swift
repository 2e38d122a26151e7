/// The way in which a picture is turned before it is shown, for cameras that hang upside down, stand on their side or
/// act as a mirror.
///
/// The picture is first rotated, and then optionally mirrored, which exchanges left and right. In a camera's picture of
/// w by h pixels, pixel (x, y), counted from the top left, moves to
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
        /// The picture as the camera sends it.
        case degrees0 = 0
        /// The picture with its top on the right.
        case degrees90 = 90
        /// The picture upside down.
        case degrees180 = 180
        /// The picture with its top on the left.
        case degrees270 = 270
    }

    /// The rotation, which comes first.
    public var rotation: Rotation
    /// Whether left and right are exchanged, after the rotation.
    public var isMirrored: Bool

    /// The orientation that leaves the picture as the camera sends it.
    public static let upright = Orientation(rotation: .degrees0, isMirrored: false)

    /// All eight orientations.
    public static let all = Rotation.allCases.flatMap { rotation in
        [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
    }

    /// Creates an orientation.
    public init(rotation: Rotation, isMirrored: Bool) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    /// Whether width and height are exchanged.
    public var swapsSides: Bool { rotation == .degrees90 || rotation == .degrees270 }
}
