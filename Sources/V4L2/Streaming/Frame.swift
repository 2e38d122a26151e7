public import Handoff

/// The driver's information about a frame.
public struct FrameInfo: Equatable, Sendable {
    /// The driver's frame counter; a gap means that frames were lost before they reached this process.
    public var sequence: UInt32
    /// The time of capture: when the last pixel was received, or with some drivers when the exposure began
    /// (`V4L2_BUF_FLAG_TSTAMP_SRC_EOF` and `_SOE`). If the driver gives no time, or that of another clock than the
    /// monotonic one, the time when the frame was lent.
    public var timestamp: MonotonicTime

    /// Creates a description from the given values, unchecked.
    public init(sequence: UInt32, timestamp: MonotonicTime) {
        self.sequence = sequence
        self.timestamp = timestamp
    }
}

/// A frame on loan, whose bytes stay where the driver put them, or are made when they are read.
///
/// One from a driver exists only for the duration of a call. It cannot be copied, and because a callee merely borrows
/// it, it cannot be kept either; the span that `withBytes` lends cannot leave its closure. So no buffer is read after
/// the driver has it back, and each is returned exactly once.
@safe public struct Frame: ~Copyable {
    @safe private enum Content {
        /// The memory planes that the driver filled.
        case planes([UnsafeRawBufferPointer])
        /// One memory plane, which is made whenever it is read.
        case made(() -> [UInt8])
    }

    /// The driver's information about the frame.
    public let info: FrameInfo
    private let content: Content

    /// Creates a frame over buffers that the caller keeps valid for as long as the frame exists.
    @unsafe init(info: FrameInfo, planes: [UnsafeRawBufferPointer]) {
        self.info = info
        content = unsafe .planes(planes)
    }

    /// Creates a frame of one plane for a source that is not a kernel device, and for tests.
    /// - Parameter bytes: Returns the bytes of the plane, the same at each call. It is called whenever they are read.
    public init(info: FrameInfo, bytes: @escaping () -> [UInt8]) {
        self.info = info
        content = .made(bytes)
    }

    /// The number of memory planes.
    public var planeCount: Int {
        switch content {
        case .planes(let planes): unsafe planes.count
        case .made: 1
        }
    }

    /// Lends the bytes of one memory plane.
    /// - Parameter plane: An index below `planeCount`; any other gives no bytes.
    public borrowing func withBytes<Result, Failure: Error>(
        ofPlane plane: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard (0..<planeCount).contains(plane) else { return try body(RawSpan()) }
        switch content {
        case .planes(let planes): return try body(unsafe planes[plane].bytes)
        case .made(let bytes): return try body(unsafe bytes().span.bytes)
        }
    }

    /// Copies the bytes of one memory plane.
    /// - Parameters:
    ///   - plane: An index below `planeCount`; any other gives no bytes.
    ///   - target: Receives the bytes and keeps its allocated memory.
    public borrowing func copyBytes(ofPlane plane: Int, to target: inout [UInt8]) {
        target.removeAll(keepingCapacity: true)
        withBytes(ofPlane: plane) { bytes in
            unsafe bytes.withUnsafeBytes { unsafe target.append(contentsOf: $0) }
        }
    }

    /// Lends the bytes of the first three memory planes; a missing plane has no bytes.
    public borrowing func withPlanes<Result, Failure: Error>(
        _ body: (RawSpan, RawSpan, RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(ofPlane: 0) { first throws(Failure) in
            try withBytes(ofPlane: 1) { second throws(Failure) in
                try withBytes(ofPlane: 2) { third throws(Failure) in try body(first, second, third) }
            }
        }
    }
}

/// Counts of the frames delivered and lost since a camera was opened.
public struct FrameCounters: Equatable, Sendable {
    /// Frames that the driver delivered, whole or damaged, without those that were not new.
    public var delivered: UInt64 = 0
    /// Frames that were delivered when a newer one was already waiting.
    public var superseded: UInt64 = 0
    /// Frames that the driver delivered and marked as damaged.
    public var flagged: UInt64 = 0
    /// Frames that the driver delivered empty.
    public var empty: UInt64 = 0
    /// Frames that the driver delivered although they are from before the stream (``StaleFrameFilter``).
    public var stale: UInt64 = 0
    /// Frames that the driver delivered again (``StaleFrameFilter``).
    public var repeated: UInt64 = 0
    /// Frames that were never delivered, judged by gaps in the driver's counter.
    public var missing: UInt64 = 0

    private var lastSequence: UInt32?

    /// Creates counters that are all zero.
    public init() {}

    /// Frames that were not used, or were never delivered. Readings also count those that prove damaged when they are
    /// decoded.
    public var dropped: UInt64 { superseded + flagged + empty + missing }

    /// Counts a frame from a source that skips late frames by itself.
    public mutating func add(sequence: UInt32, superseded: UInt64) {
        delivered += 1 + superseded
        self.superseded += superseded
        lastSequence = sequence
    }

    /// Counts a delivered frame and the frames that its sequence number shows to be missing.
    mutating func add(sequence: UInt32) {
        delivered += 1
        defer { lastSequence = sequence }
        guard let lastSequence else { return }
        // Signed, because drivers may restart the count.
        let gap = Int64(Int32(bitPattern: sequence &- lastSequence)) - 1
        if gap > 0, gap < 10_000 { missing += UInt64(gap) }
    }
}
