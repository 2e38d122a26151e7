import CV4L2
import Files
import Glibc
import Handoff

/// The driver's frame buffers, mapped into this process and unmapped when the pool is destroyed.
@safe struct BufferPool: ~Copyable {
    /// The mapped memory, by buffer and plane.
    private var buffers: [[UnsafeMutableRawBufferPointer]] = unsafe []

    var count: Int { unsafe buffers.count }

    /// Asks the driver to allocate buffers, and maps them.
    /// - Throws: `V4L2Error.system` (`EBUSY` if another program is streaming), `.noBuffers`.
    init(of device: borrowing Device, count wanted: UInt32, planes: Int) throws(V4L2Error) {
        var request = v4l2_requestbuffers()
        request.count = wanted
        request.type = device.capability.bufferType.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try unsafe device.request("VIDIOC_REQBUFS", cv4l2_reqbufs, &request)
        guard request.count > 0 else { throw .noBuffers(path: device.path) }
        for index in 0..<request.count {
            // Planes are added one at a time: if mapping a later one fails, deinit unmaps the earlier ones.
            unsafe buffers.append([])
            for location in try Self.locations(ofBuffer: index, planes: planes, of: device) {
                let address = unsafe serialized {
                    unsafe mmap(
                        nil, location.length, PROT_READ, MAP_SHARED, device.descriptor.rawValue, location.offset)
                }
                guard let address = unsafe address, unsafe address != MAP_FAILED else {
                    throw .system(call: "mmap", errno: errno, path: device.path)
                }
                unsafe buffers[Int(index)].append(.init(start: address, count: location.length))
            }
        }
    }

    deinit {
        unsafe buffers.joined().forEach { plane in
            _ = serialized { unsafe munmap(plane.baseAddress, plane.count) }
        }
    }

    /// Returns how many bytes every buffer has for a plane: the smallest size among the buffers.
    func size(ofPlane plane: Int) -> Int {
        unsafe buffers.map { unsafe $0[plane].count }.min() ?? 0
    }

    /// Returns the bytes of one plane that the driver filled, clamped to the mapping whatever the driver reports.
    func bytes(ofBuffer buffer: Int, plane: Int, offset: Int, end: Int) -> UnsafeRawBufferPointer {
        let memory = unsafe buffers[buffer][plane]
        let end = min(max(end, 0), memory.count)
        let start = min(max(offset, 0), end)
        return unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    }

    /// Returns the offset and length to map for each plane of a buffer (`VIDIOC_QUERYBUF`).
    private static func locations(
        ofBuffer index: UInt32, planes: Int, of device: borrowing Device
    ) throws(V4L2Error) -> [(offset: Int, length: Int)] {
        var query = unsafe BufferRequest(device.capability, index: index, planes: planes)
        try unsafe query.make("VIDIOC_QUERYBUF", cv4l2_querybuf, of: device)
        return unsafe query.locations
    }
}

/// One `v4l2_buffer` with the plane array that the multi-planar API requires with it, for QUERYBUF, QBUF and DQBUF.
@unsafe struct BufferRequest {
    private var buffer = unsafe v4l2_buffer()
    private var planes: [v4l2_plane]
    private let usesMultiplanarAPI: Bool

    /// Creates a request for one buffer. For DQBUF, the driver fills in the index.
    init(_ capability: Capability, index: UInt32 = 0, planes count: Int) {
        unsafe usesMultiplanarAPI = capability.usesMultiplanarAPI
        unsafe planes = capability.usesMultiplanarAPI ? Array(repeating: v4l2_plane(), count: count) : []
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
        guard unsafe usesMultiplanarAPI else { return unsafe function(descriptor, &buffer) }
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

    var index: Int { unsafe Int(buffer.index) }

    /// Whether the driver marks the frame as damaged (`V4L2_BUF_FLAG_ERROR`).
    var isFlagged: Bool { unsafe buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 }

    /// Whether the driver has filled no byte.
    var isEmpty: Bool { unsafe filledRanges.allSatisfy { $0.end <= $0.offset } }

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
        unsafe usesMultiplanarAPI
            ? unsafe planes.map { unsafe (Int($0.m.mem_offset), Int($0.length)) }
            : unsafe [(Int(buffer.m.offset), Int(buffer.length))]
    }

    /// The range that the driver filled in each plane. It begins after the header of `data_offset` bytes, which
    /// `bytesused` includes.
    var filledRanges: [(offset: Int, end: Int)] {
        unsafe usesMultiplanarAPI
            ? unsafe planes.map { (Int($0.data_offset), Int($0.bytesused)) }
            : unsafe [(0, Int(buffer.bytesused))]
    }
}
