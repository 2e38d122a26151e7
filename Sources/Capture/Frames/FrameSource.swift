import Handoff
import V4L2

/// A source of frames for the capture thread: a camera or the test pattern.
protocol FrameSource: ~Copyable {
    /// The format of the frames.
    var format: FrameFormat { get }
    /// The numbers of frames delivered and dropped.
    var counters: FrameCounters { get }

    /// Returns whether the source has lost its signal although it still delivers frames.
    ///
    /// A video receiver whose cable was pulled sends noise or its last picture.
    mutating func hasLostSignal(at now: MonotonicTime) -> Bool

    /// Lets frames accumulate while none is wanted, as ``V4L2/Camera/rest(orUntil:)`` does, or does nothing.
    mutating func rest(orUntil waker: Waker)

    /// Waits for a frame and lends the newest one, as ``V4L2/Camera/withNextFrame(before:orUntil:_:)`` does.
    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result?
}

extension FrameSource where Self: ~Copyable {
    mutating func hasLostSignal(at now: MonotonicTime) -> Bool { false }

    mutating func rest(orUntil waker: Waker) {}
}

extension Camera: FrameSource {}
