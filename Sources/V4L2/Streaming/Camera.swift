import CV4L2
import Files
import Glibc
public import Handoff

/// A streaming camera: starts when it is created, lends frames, and stops when it is destroyed.
///
/// It is neither copyable nor Sendable: one thread opens, uses and closes it.
public struct Camera: ~Copyable {
    /// The number of buffers to request: one being read, one being filled, and some that collect frames while nobody
    /// wants any.
    private static let bufferCount: UInt32 = 5
    /// The time between two checks of the signal, in seconds.
    private static let signalInterval = 1.0

    /// The format that was negotiated.
    public let format: FrameFormat
    /// The numbers of frames delivered and lost so far.
    public private(set) var counters = FrameCounters()
    /// What is known of the frames so far, for the next stream of the same camera.
    public private(set) var filter: StaleFrameFilter
    private let device: Device
    private let pool: BufferPool
    /// Whether frames may be waiting in the driver because they were left there on purpose since the last one was lent.
    private var mayHaveBacklog = false
    /// The time at which the driver's queue was last emptied.
    private var queueEmptiedAt = MonotonicTime.now()
    /// The time of the next check of the signal; nil if the driver announces its loss.
    private var nextSignalCheck: MonotonicTime?

    /// Negotiates a format and starts streaming.
    /// - Parameters:
    ///   - width: The wanted width in pixels; the driver may grant another.
    ///   - height: The wanted height in pixels; the driver may grant another.
    ///   - framesPerSecond: The wanted rate; the driver may grant another.
    ///   - filter: The filter of the last stream of the same camera, which knows the last frame.
    ///   - prepare: Called when the format is set, before the stream starts: some drivers reset controls with the
    ///     format.
    /// - Throws: `V4L2Error`; whatever was started is undone. `.busy` if another program is streaming,
    ///   `.imageProcessor` or `.graphNotSetUp` for a node that delivers no pictures by itself.
    public init(
        _ device: consuming Device, fourCC: FourCC, width: Int, height: Int, framesPerSecond: Double,
        filter: StaleFrameFilter = StaleFrameFilter(),
        prepare: (borrowing Device) throws(V4L2Error) -> Void = { _ throws(V4L2Error) in }
    ) throws(V4L2Error) {
        let (path, capability) = (device.path, device.capability)
        do throws(V4L2Error) {
            try self.init(
                starting: device, fourCC: fourCC, width: width, height: height, framesPerSecond: framesPerSecond,
                filter: filter, prepare: prepare)
        } catch {
            throw error.explained(at: path, by: capability)
        }
    }

    private init(
        starting device: consuming Device, fourCC: FourCC, width: Int, height: Int, framesPerSecond: Double,
        filter: StaleFrameFilter, prepare: (borrowing Device) throws(V4L2Error) -> Void
    ) throws(V4L2Error) {
        var device = device
        let (width, height) = try device.setUpGraph(fourCC, width: width, height: height)
        var format = try device.negotiate(fourCC, width: width, height: height, framesPerSecond: framesPerSecond)
        try prepare(device)
        let pool = try BufferPool(of: device, count: Self.bufferCount, planes: format.planes.count)
        for plane in format.planes.indices {
            // vivid allocates less than it reports if the size is not a multiple of the chroma block.
            format.planes[plane].sizeImage = min(format.planes[plane].sizeImage, pool.size(ofPlane: plane))
        }
        for index in 0..<pool.count {
            try Self.enqueue(index, of: device, planes: format.planes.count)
        }
        var filter = filter
        filter.beginStream(at: .now(), numbersAreUnique: format.fields != .alternating)
        var type = Int32(device.capability.bufferType.rawValue)
        do throws(V4L2Error) {
            try unsafe device.request("VIDIOC_STREAMON", cv4l2_streamon, &type)
        } catch {
            throw device.explained(error, format)
        }
        // Any frame the driver already has was kept from before. That can be no more than its buffers hold.
        for _ in 0..<pool.count {
            guard var request = unsafe try Self.dequeue(from: device, pool, planes: format.planes.count) else {
                filter.recordEmptyQueue()
                break
            }
            unsafe _ = filter.admits(request.stamp) { nil }
            counters.stale += 1
            try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
        }
        nextSignalCheck = device.announcesSourceChanges ? nil : .now() + Self.signalInterval
        self.format = format
        self.device = device
        self.pool = pool
        self.filter = filter
    }

    deinit {
        if device.capability.driver == Capability.layerDriver { dequeueAll() }
        // A failure can be ignored: the device may be gone, and closing the file frees the buffers anyway.
        var type = Int32(device.capability.bufferType.rawValue)
        _ = unsafe cv4l2_streamoff(device.descriptor.rawValue, &type)
    }

    /// Takes all buffers back from the driver, until it fills none within a second, for four seconds at most.
    ///
    /// libcamera's layer counts the frames that wait in it, and its count survives the end of the stream. If any were
    /// left, the next stream of this process would get buffers that are not filled yet. VIDIOC_QBUF of such a buffer
    /// fails with ENOMEM, or changes a request that another thread of libcamera is reading, and the process crashes.
    private func dequeueAll() {
        let end = MonotonicTime.now() + 4
        var deadline = MonotonicTime.now() + 1
        var left = pool.count
        while left > 0, deadline.pollTimeout > 0, end.pollTimeout > 0 {
            var request = unsafe BufferRequest(device.capability, planes: format.planes.count)
            switch unsafe request.make(cv4l2_dqbuf, of: device) {
            case 0:
                left -= 1
                deadline = .now() + 1
            // The layer reports a frame to poll(2) before it can be dequeued.
            case EAGAIN: usleep(2000)
            default: return
            }
        }
    }

    /// Returns whether the driver reports that the signal is gone. Frames may still arrive: noise, or the last picture.
    ///
    /// Drivers that announce a change of the source are not asked: ``withNextFrame(before:orUntil:_:)`` throws when
    /// they do. The others are asked at most once a second.
    public mutating func hasLostSignal(at now: MonotonicTime) -> Bool {
        guard let next = nextSignalCheck, now >= next else { return false }
        nextSignalCheck = now + Self.signalInterval
        return device.signalProblem != nil
    }

    /// Leaves the next frames with the driver until all but two of its buffers are full, so that one wake-up serves
    /// them all. Returns immediately if the driver reports no rate.
    ///
    /// Frames that collect meanwhile do not count as superseded. A rest that was ended early may be continued; it still
    /// ends at its original time.
    /// - Parameter waker: Ends the rest early, and also the wait for the next frame that follows.
    public mutating func rest(orUntil waker: Waker) {
        // One buffer is being filled, and one is spare in case this thread is late.
        guard let rate = format.framesPerSecond, rate > 0, pool.count > 2 else { return }
        mayHaveBacklog = true
        if waker.wait(until: queueEmptiedAt + Double(pool.count - 2) / rate) { waker.wake() }
    }

    /// Waits for a frame and lends the newest one.
    ///
    /// If several frames are waiting, only the newest is lent. Older and damaged ones are counted and returned to the
    /// driver at once, and so are those that are not new (``StaleFrameFilter``). The lent frame is returned to the
    /// driver when `body` ends.
    /// - Parameters:
    ///   - deadline: When to stop waiting.
    ///   - waker: Ends the wait early.
    /// - Returns: What `body` returned; nil if the deadline passed or the waker was triggered before a frame arrived.
    /// - Throws: `V4L2Error` if the stream has ended; the camera must then be discarded.
    public mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        guard var request = unsafe try awaitFrame(before: deadline, orUntil: waker) else { return nil }
        mayHaveBacklog = false
        let info = unsafe filter.info(of: request.stamp, emptied: queueEmptiedAt)
        queueEmptiedAt = .now()
        let result = body(unsafe Frame(info: info, planes: planes(of: request)))
        try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
        return result
    }

    /// Waits for the newest undamaged frame, which belongs to this process until it is queued again.
    private mutating func awaitFrame(
        before deadline: MonotonicTime, orUntil waker: Waker
    ) throws(V4L2Error) -> BufferRequest? {
        while true {
            let events = try device.poll(POLLIN | POLLPRI, before: deadline, orUntil: waker)
            if events == 0 { return nil }
            if events & POLLPRI != 0, device.dequeueEvents(of: device.descriptor.rawValue).contains(.sourceChange) {
                throw .sourceChanged(path: device.path)
            }
            let before = counters
            if let newest = unsafe try dequeueNewest() { return unsafe newest }
            // poll(2) reports an error and no frame explains it: the stream has stopped, and polling again would spin.
            if events & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                throw .streamEnded(path: device.path)
            }
            // libcamera's layer reports a frame to poll(2) before it can be dequeued, and a broken driver reports one
            // that never comes: polling again at once would spin.
            if counters == before { usleep(2000) }
            // A driver may always have another frame that cannot be used.
            if deadline.pollTimeout == 0 { return nil }
        }
    }

    /// Dequeues the waiting frames and returns the newest; nil if none can be used.
    private mutating func dequeueNewest() throws(V4L2Error) -> BufferRequest? {
        var newest: BufferRequest? = nil
        // A driver that always has another frame would keep this thread here.
        for _ in 0..<(2 * pool.count) {
            guard var request = unsafe try Self.dequeue(from: device, pool, planes: format.planes.count) else {
                filter.recordEmptyQueue()
                break
            }
            guard unsafe recordAndAdmit(request) else {
                try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
                continue
            }
            if var older = unsafe newest {
                if !mayHaveBacklog { counters.superseded += 1 }
                try unsafe older.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
            }
            unsafe newest = unsafe request
        }
        return unsafe newest
    }

    /// Counts a frame.
    /// - Returns: Whether it can be used: it is new and undamaged.
    private mutating func recordAndAdmit(_ frame: BufferRequest) -> Bool {
        var filter = filter
        defer { self.filter = filter }
        let (stamp, isFlagged, isEmpty) = unsafe (frame.stamp, frame.isFlagged, frame.isEmpty)
        guard isFlagged || isEmpty || filter.admits(stamp, digest: { unsafe digest(of: frame) }) else {
            if filter.isOld(stamp) { counters.stale += 1 } else { counters.repeated += 1 }
            return false
        }
        counters.add(sequence: stamp.sequence)
        if isFlagged { counters.flagged += 1 } else if isEmpty { counters.empty += 1 }
        return !isFlagged && !isEmpty
    }

    private func planes(of request: BufferRequest) -> [UnsafeRawBufferPointer] {
        let index = unsafe request.index
        return unsafe request.filledRanges.enumerated().map { plane, filled in
            unsafe pool.bytes(ofBuffer: index, plane: plane, offset: filled.offset, end: filled.end)
        }
    }

    /// Returns a number that depends on a frame's length and on 64 parts of it, of 64 bytes each.
    private func digest(of request: BufferRequest) -> Int {
        var hasher = Hasher()
        let planes = unsafe planes(of: request)
        for index in unsafe planes.indices {
            let plane = unsafe planes[index]
            hasher.combine(plane.count)
            for part in 0..<64 {
                let start = plane.count * part / 64
                unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: plane[start...].prefix(64)))
            }
        }
        return hasher.finalize()
    }

    /// Dequeues a frame; returns nil if none is waiting.
    private static func dequeue(
        from device: borrowing Device, _ pool: borrowing BufferPool, planes: Int
    ) throws(V4L2Error) -> BufferRequest? {
        var request = unsafe BufferRequest(device.capability, planes: planes)
        let errno = unsafe request.make(cv4l2_dqbuf, of: device)
        guard errno != EAGAIN else { return nil }
        guard errno == 0 else { throw .system(call: "VIDIOC_DQBUF", errno: errno, path: device.path) }
        guard unsafe request.index < pool.count else {
            throw .malformedReply(
                path: device.path, problem: "it returned buffer \(unsafe request.index) of \(pool.count)")
        }
        return unsafe request
    }

    private static func enqueue(_ index: Int, of device: borrowing Device, planes: Int) throws(V4L2Error) {
        var request = unsafe BufferRequest(device.capability, index: UInt32(index), planes: planes)
        try unsafe request.make("VIDIOC_QBUF", cv4l2_qbuf, of: device)
    }
}

extension V4L2Error {
    /// Returns the error with what is known of the node.
    fileprivate func explained(at path: String, by capability: Capability) -> V4L2Error {
        switch (self, capability.role) {
        case (.system(_, EBUSY, _), _): .busy(path: path, holders: DeviceHolder.all(of: path))
        case (.system, .imageProcessor): .imageProcessor(path: path, name: capability.card)
        // The errors of vb2_streamon and of the receivers' media_pipeline_start: no link, or one of another format.
        case (.system("VIDIOC_STREAMON", let errno, _), .receiver) where Self.graphErrors.contains(errno):
            .graphNotSetUp(path: path, errno: errno)
        case (.system("VIDIOC_S_FMT", EINVAL, _), _) where capability.driver == Capability.layerDriver:
            .lostByLayer(path: path)
        default: self
        }
    }

    fileprivate static let graphErrors: Set = [EPIPE, ENOLINK, ENOTCONN, EINVAL]
}

extension Device {
    /// Returns the error of a stream that does not start, with what does not fit if the device is a sensor.
    fileprivate func explained(_ error: V4L2Error, _ format: FrameFormat) -> V4L2Error {
        guard let sensor, case .system(_, let errno, _) = error, V4L2Error.graphErrors.contains(errno) else {
            return error
        }
        return .sensorNotStarted(path: path, errno: errno, problem: sensor.misfit(with: format))
    }
}
