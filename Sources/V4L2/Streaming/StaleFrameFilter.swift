import Handoff

/// A filter that admits new frames only: neither those that a driver had before the stream began, nor one that it
/// delivers again.
///
/// v4l2loopback, for one, keeps the last frame of a program that has stopped feeding it, and delivers it to every
/// stream that begins, or again and again. Its number and its time give it away. Some drivers leave one of them at 0,
/// and some take the time from a clock of their own. If neither tells frames apart, their bytes do: a frame with those
/// of the last one is the same frame.
public struct StaleFrameFilter: Sendable {
    /// The number and the time of a frame, as the driver gives them.
    struct Stamp: Equatable {
        /// The frame's number; always 0 if the driver does not count.
        var sequence: UInt32
        /// The time of capture; always 0 if the driver gives none.
        var time: MonotonicTime
        /// Whether the time is that of the monotonic clock.
        var isMonotonic: Bool

        /// The time of capture if the driver gives it by the monotonic clock; else nil.
        var monotonicTime: MonotonicTime? { isMonotonic && hasTime ? time : nil }

        fileprivate var hasTime: Bool { time.nanoseconds != 0 }
    }

    /// The number of frames without a number after which a driver that has numbered frames is taken to have stopped.
    ///
    /// v4l2loopback numbers what one program writes, but not what the next one queues. Version 0.12.7 also takes the
    /// number away, and gives another time, whenever any program begins to stream: that is not a new frame.
    private static let maxUnnumbered = 8

    /// A moment before the stream began. A driver may give the start of a frame's exposure as its time, which is before
    /// the request to begin has returned.
    private var start = MonotonicTime(nanoseconds: .min)
    /// The last undamaged frame, perhaps of an earlier stream.
    private var last: Stamp?
    /// Whether each buffer has a number of its own, so that numbers tell frames apart.
    private var numbersAreUnique = true
    /// Whether the driver numbers frames.
    private var driverNumbers = false
    /// How many frames have had a later time, but no number, since the last numbered one.
    private var unnumbered = 0
    /// Whether the last frame is one of this stream.
    private var hasFrame = false
    /// Whether a frame of this stream has had a time.
    private var givesTimes = false
    /// The digest of the last frame, if its number and its time did not show that it was new.
    private var lastDigest: Int?
    /// Whether the time of the last admitted frame shows when it was captured.
    private var isTimeTrusted = true
    /// Whether the driver had no frame left at a time when this stream had delivered one.
    private var hasCaughtUp = false

    /// Creates a filter for a camera from which no frame is known.
    public init() {}

    /// Starts over with a new stream of the same camera.
    /// - Parameters:
    ///   - time: A moment before the stream begins.
    ///   - numbersAreUnique: Whether each buffer may have a number of its own. The two fields of a frame share its
    ///     number.
    mutating func beginStream(at time: MonotonicTime, numbersAreUnique: Bool = true) {
        (start, hasFrame, givesTimes, hasCaughtUp) = (time, false, false, false)
        self.numbersAreUnique = numbersAreUnique
        if !numbersAreUnique { driverNumbers = false }
        (lastDigest, isTimeTrusted) = (nil, true)
    }

    /// Records that the driver has no frame left.
    mutating func recordEmptyQueue() { hasCaughtUp = hasFrame }

    /// Returns whether an undamaged frame is new, and records it.
    /// - Parameter digest: Returns a number that tells the bytes of frames apart. It is called only if the stamp does
    ///   not show that the frame is new, and costs a frame then, because the digest of the one before is not known.
    mutating func admits(_ original: Stamp, digest: () -> Int?) -> Bool {
        var stamp = original
        if !numbersAreUnique { stamp.sequence = 0 }
        let (last, hasFrame) = (last, hasFrame)
        (self.last, self.hasFrame) = (stamp, true)
        givesTimes = givesTimes || stamp.hasTime
        let isLater = last.map { stamp.time > $0.time } ?? true
        recordNumber(stamp.sequence, isLater: isLater)
        let isOld = isOld(stamp)
        guard let last, hasFrame else {
            // The numbers, and the times of other clocks, may start over with each stream.
            let isRepeated =
                stamp.sequence != 0 && stamp.sequence == last?.sequence || stamp.hasTime && stamp.time == last?.time
            return !isOld && !isRepeated
        }
        // What the driver keeps has to advance.
        let isAdvancing =
            (driverNumbers || givesTimes) && (!givesTimes || isLater)
            && (!driverNumbers || Int32(bitPattern: stamp.sequence &- last.sequence) > 0)
        let (digest, lastDigest) = (isAdvancing ? nil : digest(), lastDigest)
        self.lastDigest = digest
        guard isAdvancing || lastDigest != nil && digest != lastDigest else { return false }
        isTimeTrusted = isAdvancing
        // The driver can have kept several old frames, but not one that came when it had none left: if that one seems
        // old, the driver's clock is not this one.
        return !isOld || hasCaughtUp
    }

    /// Returns whether a frame is from before the stream, by its time.
    func isOld(_ stamp: Stamp) -> Bool { stamp.monotonicTime.map { $0 < start } ?? false }

    private mutating func recordNumber(_ number: UInt32, isLater: Bool) {
        if number != 0 {
            (driverNumbers, unnumbered) = (true, 0)
        } else if isLater {
            unnumbered = min(unnumbered + 1, Self.maxUnnumbered)
            if unnumbered == Self.maxUnnumbered { driverNumbers = false }
        }
    }

    /// A frame that arrives after the driver had no frame left may have been captured up to this many seconds before
    /// that moment: its exposure and its way to this process take time. A driver may also give the end of a frame as
    /// its time, which lies ahead.
    private static let longestWay = 2.0

    /// Returns the number and the time of the last admitted frame. If its time cannot be true, because it is not one of
    /// the monotonic clock since the stream began, lies far in the future, or lies long before the driver had no frame
    /// left, the frame counts as captured now.
    /// - Parameter emptied: When the driver had no frame left before.
    func info(of stamp: Stamp, emptied: MonotonicTime) -> FrameInfo {
        let (earliest, now) = (max(start, emptied + -Self.longestWay), MonotonicTime.now())
        let time = stamp.monotonicTime.flatMap {
            isTimeTrusted && $0 >= earliest && $0 <= now + Self.longestWay ? $0 : nil
        }
        return FrameInfo(sequence: stamp.sequence, timestamp: time ?? now)
    }
}
