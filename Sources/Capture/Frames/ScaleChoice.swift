import JPEG
import Pixels

/// How far the next JPEG frame is decoded: at an eighth of its size, which saves a third of the work, where that was
/// seen to give the same mean.
///
/// Both are decoded for the first frame, then now and then, and whenever the picture has changed. At an eighth of the
/// size a block's samples are averaged before they are clamped: a calm picture's mean is the same to 0.05 of a code
/// value, that of blown-out highlights and loud noise is not.
struct ScaleChoice {
    /// The greatest difference that counts as none, in code values of a channel.
    private static let tolerance = 0.25
    /// A mean that has moved further is another picture's.
    private static let change = 4.0
    /// Frames from one comparison to the next: ten seconds at four readings a second.
    private static let period = 40

    private var sinceComparison = 0
    /// The mean when both ways were compared, and whether they agreed.
    private var comparison: (mean: RGB, isEighthGood: Bool)?

    /// What to begin with; the frame is decoded in full as well when ``needsFull(_:)`` says so.
    var scale: JPEGDecoder.Scale {
        guard let comparison else { return .eighth }
        return comparison.isEighthGood || sinceComparison >= Self.period ? .eighth : .full
    }

    /// Whether a frame's mean at an eighth of its size has to be compared with the full one.
    func needsFull(_ mean: RGB) -> Bool {
        guard let comparison, comparison.isEighthGood, sinceComparison < Self.period else { return true }
        return mean.distance(to: comparison.mean) > Self.change
    }

    /// Notes that a frame was read one way.
    mutating func note() {
        sinceComparison += 1
    }

    /// Notes what both ways gave.
    mutating func note(eighth: RGB, full: RGB) {
        comparison = (full, eighth.distance(to: full) <= Self.tolerance)
        sinceComparison = 0
    }
}

extension RGB {
    /// The greatest difference of a channel, in code values.
    fileprivate func distance(to other: RGB) -> Double {
        max(abs(r - other.r), abs(g - other.g), abs(b - other.b))
    }
}
