import CV4L2
import Glibc
public import Handoff

/// A streaming camera: opens, lends frames, and stops when it goes.
///
/// Not copyable and not Sendable: it is opened, used and dropped on one thread.
public struct Camera: ~Copyable {
    /// Buffers that are asked for: one being read, one being filled, and some to gather frames in that nobody wants.
    private static let bufferCount: UInt32 = 5
    /// From one question for the signal to the next, in seconds.
    private static let signalInterval = 1.0

    /// What was negotiated.
    public let format: FrameFormat
    /// What became of the frames so far.
    public private(set) var counters = FrameCounters()
    private let device: Device
    private let pool: BufferPool
    /// Whether frames were left waiting on purpose since the last one was lent.
    private var hasRested = false
    /// When no frame waited any more.
    private var emptied = MonotonicTime.now()
    /// When to ask for the signal again; nil: the driver announces its loss.
    private var nextSignalCheck: MonotonicTime?

    /// Negotiates a format and starts to stream.
    /// - Parameters:
    ///   - width: In pixels; the driver may grant another.
    ///   - height: In pixels; the driver may grant another.
    ///   - framesPerSecond: The driver may grant another.
    /// - Throws: `V4L2Error`; whatever was begun is undone. `.busy` when another program streams.
    public init(
        _ device: consuming Device, fourCC: FourCC, width: Int, height: Int, framesPerSecond: Double
    ) throws(V4L2Error) {
        let path = device.path
        do throws(V4L2Error) {
            try self.init(
                starting: device, fourCC: fourCC, width: width, height: height, framesPerSecond: framesPerSecond)
        } catch .system(_, EBUSY, _) {
            throw .busy(path: path, holders: DeviceHolder.all(of: path))
        }
    }

    private init(
        starting device: consuming Device, fourCC: FourCC, width: Int, height: Int, framesPerSecond: Double
    ) throws(V4L2Error) {
        var format = try device.negotiate(fourCC, width: width, height: height, framesPerSecond: framesPerSecond)
        let pool = try BufferPool(of: device, count: Self.bufferCount, planes: format.planes.count)
        for plane in format.planes.indices {
            // vivid allocates less than it says, for sizes that chroma does not divide.
            format.planes[plane].sizeImage = min(format.planes[plane].sizeImage, pool.size(ofPlane: plane))
        }
        for index in 0..<pool.count {
            try Self.enqueue(index, of: device, planes: format.planes.count)
        }
        var type = Int32(device.capability.bufferType.rawValue)
        try unsafe device.request("VIDIOC_STREAMON", cv4l2_streamon, &type)
        nextSignalCheck = device.announcesSourceChanges ? nil : .now() + Self.signalInterval
        self.format = format
        self.device = device
        self.pool = pool
    }

    deinit {
        // Nothing can be done about a failure: the device may be gone. Closing the file, next, frees the buffers.
        var type = Int32(device.capability.bufferType.rawValue)
        _ = unsafe cv4l2_streamoff(device.descriptor.rawValue, &type)
    }

    /// Returns whether the driver says that nothing is plugged in any more. Frames may still come: noise, or the last
    /// picture.
    ///
    /// Drivers that announce a change of the source end the stream by themselves. The others are asked, at most once a
    /// second.
    public mutating func hasLostSignal(at now: MonotonicTime) -> Bool {
        guard let next = nextSignalCheck, now >= next else { return false }
        nextSignalCheck = now + Self.signalInterval
        return device.signalProblem != nil
    }

    /// Leaves the next frames with the driver, as many as it has buffers for, so that they cost one awakening together.
    ///
    /// Those that have gathered by then do not count as superseded. A rest that was ended early may be continued: it
    /// ends when it would have.
    /// - Parameter waker: Ends the rest early, and the wait for the next frame that follows.
    public mutating func rest(orUntil waker: Waker) {
        // One is being filled, and one more is there for when this thread is late.
        guard let rate = format.framesPerSecond, rate > 0, pool.count > 2 else { return }
        hasRested = true
        if waker.wait(until: emptied + Double(pool.count - 2) / rate) { waker.wake() }
    }

    /// Waits for a frame and lends the newest one.
    ///
    /// Of several frames that wait, only the newest is lent; the others, and damaged ones, go back to the driver at
    /// once and are counted. Whatever `body` does, the frame goes back when it ends.
    /// - Parameters:
    ///   - deadline: How long to wait.
    ///   - waker: Ends the wait early.
    /// - Returns: What `body` returned; nil if there was no frame before the deadline or the waking.
    /// - Throws: `V4L2Error` when the camera cannot go on: the stream is at its end, drop the camera.
    public mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        guard var request = unsafe try awaitFrame(before: deadline, orUntil: waker) else { return nil }
        hasRested = false
        emptied = .now()
        let index = unsafe request.index
        let planes = unsafe request.fillings.enumerated().map { plane, filling in
            unsafe pool.bytes(ofBuffer: index, plane: plane, offset: filling.offset, used: filling.used)
        }
        let result = body(unsafe Frame(info: request.info, planes: planes))
        try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
        return result
    }

    /// - Returns: The newest undamaged frame, which is ours until it is queued again.
    private mutating func awaitFrame(
        before deadline: MonotonicTime, orUntil waker: Waker
    ) throws(V4L2Error) -> BufferRequest? {
        while true {
            let events = try device.poll(POLLIN | POLLPRI, before: deadline, orUntil: waker)
            if events == 0 { return nil }
            if events & POLLPRI != 0, device.dequeueEvents().contains(.sourceChange) {
                throw .sourceChanged(path: device.path)
            }
            if let newest = unsafe try dequeueNewest() { return unsafe newest }
            // An error, and yet no frame that says which: the stream has stopped. Waiting on would spin.
            if events & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                throw .system(call: "poll", errno: EIO, path: device.path)
            }
        }
    }

    private mutating func dequeueNewest() throws(V4L2Error) -> BufferRequest? {
        var newest: BufferRequest? = nil
        while var request = unsafe try dequeue() {
            unsafe counters.note(sequence: request.info.sequence)
            if unsafe request.isDamaged {
                counters.damaged += 1
                try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
                continue
            }
            if var older = unsafe newest {
                if !hasRested { counters.superseded += 1 }
                try unsafe older.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
            }
            unsafe newest = unsafe request
        }
        return unsafe newest
    }

    /// - Returns: A frame; nil if none waits.
    private func dequeue() throws(V4L2Error) -> BufferRequest? {
        var request = unsafe BufferRequest(device.capability, planes: format.planes.count)
        let errno = unsafe request.make(cv4l2_dqbuf, of: device)
        guard errno != EAGAIN else { return nil }
        guard errno == 0 else { throw .system(call: "VIDIOC_DQBUF", errno: errno, path: device.path) }
        guard unsafe request.index < pool.count else {
            throw .malformedReply(path: device.path, problem: "buffer \(unsafe request.index) of \(pool.count)")
        }
        return unsafe request
    }

    private static func enqueue(_ index: Int, of device: borrowing Device, planes: Int) throws(V4L2Error) {
        var request = unsafe BufferRequest(device.capability, index: UInt32(index), planes: planes)
        try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
    }
}
