/// What became of the frames since a camera was opened.
public struct FrameCounters: Equatable, Sendable {
    /// Frames that the driver delivered, whole or damaged.
    public var delivered: UInt64 = 0
    /// Delivered, but a newer one was waiting already.
    public var superseded: UInt64 = 0
    /// Delivered, but damaged by the driver's own word.
    public var damaged: UInt64 = 0
    /// Never delivered, by the gaps in the driver's counter.
    public var missing: UInt64 = 0

    private var lastSequence: UInt32?
    /// A counter that repeats itself now owes a gap later.
    private var repeated: UInt64 = 0

    /// Nothing yet.
    public init() {}

    /// Frames that were captured and did not count.
    public var dropped: UInt64 { superseded + damaged + missing }

    /// Takes note of a frame of a source that skips those it is too late for.
    public mutating func note(arrived sequence: UInt32, superseded: UInt64) {
        delivered += 1 + superseded
        self.superseded += superseded
        lastSequence = sequence
    }

    /// Takes note of the sequence number of a frame that was delivered.
    mutating func note(sequence: UInt32) {
        delivered += 1
        defer { lastSequence = sequence }
        guard let lastSequence else { return }
        // Signed, because drivers repeat a number now and then (vivid at 60 fps), or start anew.
        let gap = Int64(Int32(bitPattern: sequence &- lastSequence)) - 1
        if gap == -1 {
            repeated += 1
        } else if gap > 0, gap < 10_000 {
            let paid = min(repeated, UInt64(gap))
            repeated -= paid
            missing += UInt64(gap) - paid
        }
    }
}
