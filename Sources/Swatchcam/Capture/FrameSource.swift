import V4L2

/// Whatever delivers frames to the capture thread: a camera, or the test pattern.
protocol FrameSource: ~Copyable {
    /// What it delivers.
    var format: FrameFormat { get }
    /// What became of its frames.
    var counters: FrameCounters { get }

    /// Waits for a frame and lends the newest one, as ``V4L2/Camera/withNextFrame(before:orUntil:_:)`` does.
    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result?
}

extension Camera: FrameSource {}
