/// Counts of the frames delivered and lost since a camera was opened.
public struct FrameCounters: Equatable, Sendable {
    /// Frames that the driver delivered, whole or damaged, without those that were not new.
    public var delivered: UInt64 = 0
    /// Frames that were delivered when a newer one was already waiting.
    public var superseded: UInt64 = 0
    /// Frames that the driver delivered and marked as damaged.
    public var damaged: UInt64 = 0
    /// Frames that the driver delivered although they were not new (``StaleFrameFilter``).
    public var stale: UInt64 = 0
    /// Frames that were never delivered, judged by gaps in the driver's counter.
    public var missing: UInt64 = 0

    private var lastSequence: UInt32?

    /// Creates counters that are all zero.
    public init() {}

    /// Frames that were captured but not used.
    public var dropped: UInt64 { superseded + damaged + missing }

    /// Counts a frame from a source that skips late frames by itself.
    public mutating func note(rendered sequence: UInt32, superseded: UInt64) {
        delivered += 1 + superseded
        self.superseded += superseded
        lastSequence = sequence
    }

    /// Counts a delivered frame and the frames that its sequence number shows to be missing.
    mutating func note(sequence: UInt32) {
        delivered += 1
        defer { lastSequence = sequence }
        guard let lastSequence else { return }
        // Signed, because drivers may restart the count.
        let gap = Int64(Int32(bitPattern: sequence &- lastSequence)) - 1
        if gap > 0, gap < 10_000 { missing += UInt64(gap) }
    }
}
