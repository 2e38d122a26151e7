import CV4L2
import Files
import Handoff

/// One `v4l2_buffer` with the plane array that the multi-planar API requires with it, for QUERYBUF, QBUF and DQBUF.
@unsafe struct BufferRequest {
    private var buffer = unsafe v4l2_buffer()
    private var planes: [v4l2_plane]
    private let isMultiplanar: Bool

    /// Creates a request for one buffer. For DQBUF, the driver fills in the index.
    init(_ capability: Capability, index: UInt32 = 0, planes count: Int) {
        unsafe isMultiplanar = capability.isMultiplanar
        unsafe planes = capability.isMultiplanar ? Array(repeating: v4l2_plane(), count: count) : []
        unsafe buffer.index = index
        unsafe buffer.type = capability.bufferType.rawValue
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
    }

    /// Makes the request and returns its result as a number.
    /// - Returns: 0 or errno.
    mutating func make(_ function: (Int32, UnsafeMutablePointer<v4l2_buffer>) -> Int32, of device: borrowing Device)
        -> Int32
    {
        let descriptor = device.descriptor.rawValue
        guard unsafe isMultiplanar else { return unsafe function(descriptor, &buffer) }
        var request = unsafe buffer
        let errno = unsafe planes.withUnsafeMutableBufferPointer { pointer in
            unsafe request.m.planes = pointer.baseAddress
            unsafe request.length = UInt32(pointer.count)
            return unsafe function(descriptor, &request)
        }
        unsafe request.m.planes = nil
        unsafe buffer = request
        return errno
    }

    /// Makes the request and throws if it fails.
    /// - Throws: `V4L2Error.system`.
    mutating func make(
        _ call: String, _ function: (Int32, UnsafeMutablePointer<v4l2_buffer>) -> Int32, of device: borrowing Device
    ) throws(V4L2Error) {
        let errno = unsafe make(function, of: device)
        guard errno == 0 else { throw .system(call: call, errno: errno, path: device.path) }
    }

    /// The index of the buffer.
    var index: Int { unsafe Int(buffer.index) }

    /// Whether the driver marks the frame as damaged (`V4L2_BUF_FLAG_ERROR`).
    var isDamaged: Bool { unsafe buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 }

    /// The frame's number and time.
    var stamp: StaleFrameFilter.Stamp {
        let time = unsafe buffer.timestamp
        let isMonotonic =
            unsafe buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        return unsafe StaleFrameFilter.Stamp(
            sequence: buffer.sequence,
            time: MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_usec) &* 1_000),
            isMonotonic: isMonotonic)
    }

    /// The offset and length to map for each plane.
    var locations: [(offset: Int, length: Int)] {
        unsafe isMultiplanar
            ? unsafe planes.map { unsafe (Int($0.m.mem_offset), Int($0.length)) }
            : unsafe [(Int(buffer.m.offset), Int(buffer.length))]
    }

    /// The range that the driver filled in each plane. It begins after the header of `data_offset` bytes, which
    /// `bytesused` includes.
    var filledRanges: [(offset: Int, end: Int)] {
        unsafe isMultiplanar
            ? unsafe planes.map { (Int($0.data_offset), Int($0.bytesused)) }
            : unsafe [(0, Int(buffer.bytesused))]
    }
}
