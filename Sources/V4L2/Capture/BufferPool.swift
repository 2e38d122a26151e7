import CV4L2
import Glibc

/// The driver's buffers, mapped into this process, unmapped when the pool goes.
@safe struct BufferPool: ~Copyable {
    /// The memory of each plane of each buffer.
    private var buffers: [[UnsafeMutableRawBufferPointer]] = unsafe []

    /// The number of buffers.
    var count: Int { unsafe buffers.count }

    /// Has the driver allocate buffers, and maps them.
    /// - Throws: `V4L2Error.system` (`EBUSY`: another program streams), `.tooFewBuffers`.
    init(of device: borrowing Device, count wanted: UInt32, planes: Int) throws(V4L2Error) {
        var request = v4l2_requestbuffers()
        request.count = wanted
        request.type = device.capability.bufferType.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try unsafe device.request("VIDIOC_REQBUFS", cv4l2_reqbufs, &request)
        // With a single buffer the driver would have nowhere to put a frame while one is being read.
        guard request.count >= 2 else { throw .tooFewBuffers(path: device.path, granted: Int(request.count)) }
        for index in 0..<request.count {
            // Added one plane at a time: should a later one fail, deinit unmaps the earlier ones.
            unsafe buffers.append([])
            for location in try Self.locations(ofBuffer: index, planes: planes, of: device) {
                let address = unsafe mmap(
                    nil, location.length, PROT_READ, MAP_SHARED, device.descriptor.rawValue, location.offset)
                guard let address = unsafe address, unsafe address != MAP_FAILED else {
                    throw .system(call: "mmap", errno: errno, path: device.path)
                }
                unsafe buffers[Int(index)].append(.init(start: address, count: location.length))
            }
        }
    }

    deinit {
        unsafe buffers.joined().forEach { plane in
            _ = unsafe munmap(plane.baseAddress, plane.count)
        }
    }

    /// The memory that each buffer has for a plane, in bytes: the least of all.
    func size(ofPlane plane: Int) -> Int {
        unsafe buffers.map { unsafe $0[plane].count }.min() ?? 0
    }

    /// What the driver filled of one plane, within the bounds of the mapping whatever the driver says.
    func bytes(ofBuffer buffer: Int, plane: Int, offset: Int, used: Int) -> UnsafeRawBufferPointer {
        let memory = unsafe buffers[buffer][plane]
        let end = min(max(used, 0), memory.count)
        let start = min(max(offset, 0), end)
        return unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    }

    /// Where the planes of a buffer are to be mapped from (`VIDIOC_QUERYBUF`).
    private static func locations(
        ofBuffer index: UInt32, planes: Int, of device: borrowing Device
    ) throws(V4L2Error) -> [(offset: Int, length: Int)] {
        var query = unsafe BufferRequest(device.capability, index: index, planes: planes)
        try unsafe query.make("VIDIOC_QUERYBUF", cv4l2_querybuf, of: device)
        return unsafe query.locations
    }
}
